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
  let data;
  try {
    data = await response.json();
  } catch {
    throw new Away(`The server answered with something that cannot be read (${response.status}).`);
  }
  if (!response.ok) throw new Refused(response.status, data.error ?? { message: response.statusText });
  return data;
}

// The revision that this page last saw: a change made on an older one is refused, and the page looks again.
let revision = null;
const seen = (state) => {
  if (state.revision !== undefined) revision = state.revision;
  return state;
};
const query = (values) => new URLSearchParams(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));

const base = "/api/studio";
const form = (file) => {
  const sent = new FormData();
  sent.append("file", file);
  return sent;
};
export const studio = {
  state: () => ask("GET", `${base}/state`).then(seen),
  example: () => ask("POST", `${base}/example`).then(seen),
  upload: (file) => ask("POST", `${base}/upload`, form(file)).then(seen),
  project: (file) => ask("POST", `${base}/project`, form(file)).then(seen),
  columns: () => ask("GET", `${base}/columns`),
  change: (settings) => ask("PUT", `${base}/settings`, settings).then(seen),
  learn: () => ask("POST", `${base}/learning`),
  learning: () => ask("GET", `${base}/learning`),
  stop: () => ask("DELETE", `${base}/learning`),
  learnSizes: () => ask("POST", `${base}/sizes`),
  sizes: () => ask("GET", `${base}/sizes`),
  chooseSize: (number) => ask("POST", `${base}/sizes/${number}`).then(seen),
  rules: (split) => ask("GET", `${base}/rules?split=${split}`),
  rows: (wanted) => ask("GET", `${base}/rows?${wanted}`),
  row: (number) => ask("GET", `${base}/rows/${number}`),
  whatIf: (row) => ask("POST", `${base}/what-if`, { row }),
  recourse: (number, asked) => ask("POST", `${base}/rows/${number}/recourse`, asked),
  segments: (by, label, split) => ask("GET", `${base}/segments?${query({ by, label, split })}`),
  cutoffs: (split) => ask("GET", `${base}/cutoffs?${query({ split })}`),
  values: (column) => ask("GET", `${base}/values?${query({ column })}`),
  proposals: (rule) => ask("GET", `${base}/proposals?${query({ rule })}`),
  preview: (edit) => ask("POST", `${base}/preview`, edit),
  edit: (edit) => ask("POST", `${base}/edit`, { ...edit, revision }).then((answer) => { seen(answer.state); return answer; }),
  effect: () => ask("GET", `${base}/effect`),
  draft: (text) => ask("PUT", `${base}/draft`, { text, revision }).then(seen),
  drop: () => ask("DELETE", `${base}/draft`).then(seen),
  accept: (text) => ask("POST", `${base}/accept`, { text, revision }).then(seen),
  undo: () => ask("POST", `${base}/undo`, { revision }).then(seen),
  redo: () => ask("POST", `${base}/redo`, { revision }).then(seen),
  keepVersion: (name, comment) => ask("POST", `${base}/versions`, { name, comment }).then(seen),
  removeVersion: (name) => ask("DELETE", `${base}/versions?${query({ name })}`).then(seen),
  useVersion: (name) => ask("POST", `${base}/versions/use`, { name, revision }).then(seen),
  difference: (old, now) => ask("GET", `${base}/difference?${query({ old, new: now })}`),
  checks: () => ask("GET", `${base}/checks`),
  addCheck: (check) => ask("POST", `${base}/checks`, check),
  recordChecks: () => ask("POST", `${base}/checks/record`),
  removeCheck: (kind, index) => ask("DELETE", `${base}/checks/${kind}/${index}`),
  save: () => ask("POST", `${base}/save`),
  predictions: (wanted) => `${base}/predictions?${query(wanted)}`,
};
