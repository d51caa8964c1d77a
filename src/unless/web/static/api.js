// Asking the server. An answer that is not wanted any more is dropped by whoever asked.

export class Refused extends Error {
  constructor(status, error) {
    super(error.message);
    this.status = status;
    this.error = error;
  }
}

export class Away extends Error {}

export async function ask(method, path, body) {
  const options = { method, headers: {} };
  if (body instanceof FormData) options.body = body;
  else if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers["content-type"] = "application/json";
  }
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Away("The server does not answer. Is `unless studio` still running?");
  }
  const data = await response.json();
  if (!response.ok) throw new Refused(response.status, data.error ?? { message: response.statusText });
  return data;
}

const base = "/api/studio";
export const studio = {
  state: () => ask("GET", `${base}/state`),
  example: () => ask("POST", `${base}/example`),
  upload: (file) => {
    const form = new FormData();
    form.append("file", file);
    return ask("POST", `${base}/upload`, form);
  },
  columns: () => ask("GET", `${base}/columns`),
  change: (settings) => ask("PUT", `${base}/settings`, settings),
  learn: () => ask("POST", `${base}/learning`),
  learning: () => ask("GET", `${base}/learning`),
  stop: () => ask("DELETE", `${base}/learning`),
  rules: (split) => ask("GET", `${base}/rules?split=${split}`),
  rows: (query) => ask("GET", `${base}/rows?${query}`),
  row: (number) => ask("GET", `${base}/rows/${number}`),
  draft: (text) => ask("PUT", `${base}/draft`, { text }),
  drop: () => ask("DELETE", `${base}/draft`),
  accept: (text) => ask("POST", `${base}/accept`, { text }),
  undo: () => ask("POST", `${base}/undo`),
  save: () => ask("POST", `${base}/save`),
  explain: (row) => ask("POST", "/api/explain", { rows: [row] }),
};
