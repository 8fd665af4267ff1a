/** The hook's state between the events of a session: a small file that only this user can read. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const DELETE_AFTER_MS = 30 * 24 * 3600 * 1000;
const folder = join(
  process.env.CLAUDE_PLUGIN_DATA || join(homedir(), '.cache', 'countersign-claude-code'),
  'sessions',
);
const fileOf = (sessionId) => join(folder, `${sessionId.toLowerCase()}.json`);

export function readSession(sessionId) {
  try {
    return JSON.parse(readFileSync(fileOf(sessionId), 'utf8'));
  } catch {
    return {};
  }
}

export function updateSession(sessionId, fields) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = fileOf(sessionId);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify({ ...readSession(sessionId), ...fields }), { mode: 0o600 });
  renameSync(draft, file);
  deleteOldSessions();
}

function deleteOldSessions() {
  for (const name of readdirSync(folder)) {
    const { mtimeMs } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? {};
    if (mtimeMs < Date.now() - DELETE_AFTER_MS) rmSync(join(folder, name), { force: true });
  }
}
