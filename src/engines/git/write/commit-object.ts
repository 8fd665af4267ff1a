/** Writes commits as objects, byte by byte: nothing of the machine, its user or the repository's configuration gets into them. */
import type { CommitPerson } from '../../../platform/core/ports/code-writer.ts';
import type { Workspace } from './workspace.ts';

export interface RawCommit {
  tree: string;
  parents: string[];
  /** The whole line, with the date. */
  author: string;
  encoding: string | undefined;
  /** One character per byte. */
  message: string;
}

/** A line of a commit. In names, git leaves out what would end them. */
export function signatureLine({ email, name }: CommitPerson, at: Date): string {
  const address = cleaned(email).replaceAll(' ', '') || 'unknown';
  const shown = cleaned(name).replace(/^[.,:;"'\\\s]+|[.,:;"'\\\s]+$/g, '') || address;
  return Buffer.from(`${shown} <${address}> ${Math.floor(at.getTime() / 1000)} +0000`).toString('latin1');
}

function cleaned(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}<>]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** A message that a person wrote, as git cleans it. */
export function messageBytes(message: string): string {
  const lines = message.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '').split('\n');
  const text = lines.map((line) => line.trimEnd()).join('\n');
  return Buffer.from(`${text.trim()}\n`).toString('latin1');
}

export async function writeCommit(
  workspace: Workspace,
  { author, committer, encoding, message, parents, tree }: RawCommit & { committer: string },
): Promise<string> {
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${author}`,
    `committer ${committer}`,
    ...(encoding === undefined ? [] : [`encoding ${encoding}`]),
    '',
    message,
  ];
  const input = Buffer.from(lines.join('\n'), 'latin1');
  return await workspace.ask(['hash-object', '-t', 'commit', '-w', '--stdin'], { input });
}

export async function readCommit(workspace: Workspace, commit: string): Promise<RawCommit> {
  const text = (await workspace.run(['cat-file', 'commit', commit])).toString('latin1');
  const end = text.indexOf('\n\n');
  const header = end === -1 ? text : text.slice(0, end);
  const valuesOf = (name: string) =>
    header
      .split('\n')
      .filter((line) => line.startsWith(`${name} `))
      .map((line) => line.slice(name.length + 1));
  return {
    tree: valuesOf('tree')[0] ?? '',
    parents: valuesOf('parent'),
    author: valuesOf('author')[0] ?? '',
    encoding: valuesOf('encoding')[0],
    message: end === -1 ? '' : text.slice(end + 2),
  };
}
