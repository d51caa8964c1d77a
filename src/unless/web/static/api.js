// Asking the server. An answer that is not wanted any more is dropped by whoever asked.

export class Refused extends Error {
  constructor(status, error) {
    super(error.message);
    this.status = status;
    this.error = error;
  }
}

export class Away extends Error {}

// Questions of one screen, or of one row: when it is left, those still open are dropped, and the server ends their work.
function questions() {
  let open = new AbortController();
  return { get signal() { return open.signal; }, leave() { open.abort(); open = new AbortController(); } };
}
export const ofScreen = questions();
export const ofRow = questions();
const never = () => new Promise(() => {});

export async function ask(method, path, body, signal = null) {
  const options = { method, headers: {}, signal };
  if (body instanceof FormData) options.body = body;
  else if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers["content-type"] = "application/json";
  }
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    if (signal?.aborted) return never();
    throw new Away("The server does not answer. Is `unless studio` still running?");
  }
  let data;
  try {
    data = await response.json();
  } catch {
    if (signal?.aborted) return never();
    throw new Away(`The server answered with something that cannot be read (${response.status}).`);
  }
  if (!response.ok) throw new Refused(response.status, data.error ?? { message: response.statusText });
  return data;
}

// Fetch a file and hand it to the browser to keep: what is wrong can be said here, and it can be stopped.
export async function download(path, name, signal) {
  const response = await fetch(path, { signal });
  if (!response.ok) throw new Refused(response.status, (await response.json()).error);
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  Object.assign(link, { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
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
  labelled: () => ask("POST", `${base}/labelled`).then(seen),
  columns: () => ask("GET", `${base}/columns`, undefined, ofScreen.signal),
  change: (settings) => ask("PUT", `${base}/settings`, settings).then(seen),
  learn: () => ask("POST", `${base}/learning`),
  learning: () => ask("GET", `${base}/learning`),
  stop: () => ask("DELETE", `${base}/learning`),
  learnSizes: () => ask("POST", `${base}/sizes`),
  sizes: () => ask("GET", `${base}/sizes`),
  chooseSize: (number) => ask("POST", `${base}/sizes/${number}`).then(seen),
  rules: (split) => ask("GET", `${base}/rules?split=${split}`, undefined, ofScreen.signal),
  rows: (wanted) => ask("GET", `${base}/rows?${wanted}`, undefined, ofScreen.signal),
  row: (number) => ask("GET", `${base}/rows/${number}`, undefined, ofRow.signal),
  whatIf: (row) => ask("POST", `${base}/what-if`, { row }),
  recourse: (number, asked) => ask("POST", `${base}/rows/${number}/recourse`, asked, ofRow.signal),
  segments: (asked) => ask("GET", `${base}/segments?${query(asked)}`, undefined, ofScreen.signal),
  segmentsFile: (form, asked) => `${base}/segments.${form}?${query(asked)}`,
  cutoffs: (asked) => ask("GET", `${base}/cutoffs?${query(asked)}`, undefined, ofScreen.signal),
  values: (column, label) => ask("GET", `${base}/values?${query({ column, label })}`),
  proposals: (atHand) => ask("GET", `${base}/proposals?${query(atHand)}`, undefined, ofScreen.signal),
  preview: (edit) => ask("POST", `${base}/preview`, edit),
  edit: (edit) => ask("POST", `${base}/edit`, { ...edit, revision }).then((answer) => { seen(answer.state); return answer; }),
  effect: () => ask("GET", `${base}/effect`),
  draft: (text) => ask("PUT", `${base}/draft`, { text, revision }).then(seen),
  drop: () => ask("DELETE", `${base}/draft?${query({ revision })}`).then(seen),
  accept: (text) => ask("POST", `${base}/accept`, { text, revision }).then(seen),
  undo: () => ask("POST", `${base}/undo`, { revision }).then(seen),
  redo: () => ask("POST", `${base}/redo`, { revision }).then(seen),
  keepVersion: (name, comment, by) => ask("POST", `${base}/versions`, { name, comment, by }).then(seen),
  removeVersion: (name) => ask("DELETE", `${base}/versions?${query({ name })}`).then(seen),
  useVersion: (name) => ask("POST", `${base}/versions/use`, { name, revision }).then(seen),
  difference: (old, now) => ask("GET", `${base}/difference?${query({ old, new: now })}`, undefined, ofScreen.signal),
  checks: () => ask("GET", `${base}/checks`, undefined, ofScreen.signal),
  addCheck: (check) => ask("POST", `${base}/checks`, check),
  recordChecks: () => ask("POST", `${base}/checks/record`),
  removeCheck: (kind, index, name) => ask("DELETE", `${base}/checks/${kind}/${index}?${query({ name })}`),
  save: () => ask("POST", `${base}/save`),
  exports: () => ask("GET", `${base}/exports`),
  export: (wanted) => `${base}/export?${query(wanted)}`,
  predictions: (wanted) => `${base}/predictions?${query(wanted)}`,
};
