// The page "Try it": Python in the browser (Pyodide, from this site) with the logic half of unless. Nothing is sent.
const home = new URL(".", import.meta.url);
const part = (name) => document.querySelector(`#try [name="${name}"]`);
const said = document.querySelector("#try output");
const buttons = [...document.querySelectorAll("#try button")];

async function start() {
  buttons.forEach((button) => (button.disabled = true));
  said.textContent = "Python is being loaded (12 MB, once) …";
  const there = await fetch(new URL("pyodide/pyodide.mjs", home), { method: "HEAD" }).catch(() => null);
  if (!there || !there.ok) {
    said.textContent = "This copy of the site was built without Pyodide, so nothing runs here. How to build it with: below.";
    return;
  }
  const { loadPyodide } = await import(new URL("pyodide/pyodide.mjs", home));
  const python = await loadPyodide({ indexURL: new URL("pyodide/", home).href });
  const archive = await (await fetch(new URL("unless.zip", home))).arrayBuffer();
  python.unpackArchive(archive, "zip");
  python.runPython(await (await fetch(new URL("answers.txt", home))).text());
  const answer = python.globals.get("answer");
  const before = part("program").value;
  buttons.forEach((button) => {
    button.disabled = false;
    button.addEventListener("click", () => {
      said.textContent = answer(button.value, part("program").value, part("row").value, part("question").value, before);
    });
  });
  said.textContent = "Ready.";
  said.dataset.ready = "yes";
}

start().catch((problem) => (said.textContent = `Python could not be started here: ${problem.message}`));
