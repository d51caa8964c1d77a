// Show only the proofs that contain every word in the search box.
const box = document.getElementById("search");
const found = document.getElementById("found");
const proofs = [...document.querySelectorAll("#proofs > details")];
const texts = proofs.map((proof) => proof.textContent.toLowerCase());

function search() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  proofs.forEach((proof, i) => {
    proof.hidden = !words.every((word) => texts[i].includes(word));
    shown += proof.hidden ? 0 : 1;
  });
  const phrase = found.dataset.phrase.replace("{shown}", shown).replace("{all}", proofs.length);
  found.textContent = words.length ? phrase : "";
}

if (box) box.addEventListener("input", search);
