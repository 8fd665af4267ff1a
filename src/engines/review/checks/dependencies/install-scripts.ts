/** Scripts that a package runs when it is installed. */
import type { Check, Found } from '../../check.ts';
import { addedLines } from '../../code/read-change.ts';
import { parseJson } from './dependencies.ts';

const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall'];

export const installScripts: Check = {
  name: 'install_script',
  reviewer: 'dependency_risk',
  looksFor: 'new and changed scripts that run when the package is installed',
  // Most of them are intended.
  isOffByDefault: true,
  async run(change, code) {
    const found: Found[] = [];
    for (const file of change.files) {
      if (!/(^|\/)package\.json$/.test(file.path) || file.change === 'deleted' || file.fileClass !== 'data')
        continue;
      const [now, before] = [
        scriptsOf(await code.read('head', file.path)),
        scriptsOf(await code.read('base', file.oldPath ?? file.path)),
      ];
      for (const name of INSTALL_SCRIPTS) {
        const script = now[name];
        const line = addedLines(file).find(({ text }) => text.includes(`"${name}"`));
        if (typeof script !== 'string' || script === before[name] || !line) continue;
        const title = `${before[name] === undefined ? 'New' : 'Changed'} ${name} script`;
        found.push({
          ...{ claim: 'dependency', subject: name, title },
          scenario: `\`${script.slice(0, 200)}\` runs on every machine that installs this package, with the permissions of the user who installs it.`,
          ...{ file: file.path, side: 'head', line: line.number, quote: line.text, evidence: [] },
        });
      }
    }
    return found;
  },
};

function scriptsOf(manifest: string | null): Record<string, unknown> {
  return (parseJson(manifest) as { scripts?: Record<string, unknown> } | undefined)?.scripts ?? {};
}
