// The text in the editor is kept twice: by the server after every pause, and in this browser until the server has it.

import { Away, studio } from "./api.js";
import { say } from "./dom.js";

const KEY = "unless-studio-draft";

function unsent() {
  try {
    return JSON.parse(localStorage.getItem(KEY));
  } catch {
    return null;
  }
}

export function keepHere(about, text) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ about, text }));
  } catch {
    // Without storage the server's copy is the only one.
  }
}

// Send a draft; in this browser it is forgotten only when the server has it.
export async function sendDraft(text) {
  const effect = await studio.draft(text);
  if (unsent()?.text === text) localStorage.removeItem(KEY);
  return effect;
}

// After a start: an edit that never reached the server is newer than what the server has.
export async function takeUpDraft(app) {
  const kept = unsent();
  if (!kept || kept.about !== aboutState(app.state)) return;
  try {
    await sendDraft(kept.text);
    await app.refresh();
    say("An edit that this browser had kept was taken up again.");
  } catch (error) {
    if (error instanceof Away) return;
    say(`An edit that this browser had kept could not be taken up: ${error.message}`);
  }
}

export const aboutState = (state) => state.origin?.name ?? "";
