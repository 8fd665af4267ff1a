/** Selects the files of the target branch that can matter to a change, in a real repository. */
import { expect, it } from 'vitest';
import { makeRepository } from '../../../../test/helpers/git/git-fixtures.ts';
import { openGitReviewCode } from '../code/git-review-code.ts';
import { readChange } from '../code/read-change.ts';
import { findTargetFiles } from './target-files.ts';

it('tells by imports, packages and removed names which files can matter', async () => {
  const repository = await makeRepository();
  const signal = AbortSignal.timeout(60_000);
  const open = (base: string, head: string) =>
    openGitReviewCode({ gitDir: repository.folder, base, head, signal });
  try {
    const before = {
      'pkg/money/money.go': 'package money\n\nfunc Format() {}\n',
      'pkg/money/round.go': 'package money\n\nfunc Round(\n\tplaces int,\n) {\n}\n',
      'pkg/money/sum.go': 'package money\n\nfunc Sum(\n\tplaces int,\n) {\n}\n',
      'pkg/other/other.go': 'package other\n\nfunc Format() {}\n',
      'cmd/near.go': 'package main\n\nfunc near() {}\n',
      'web/list.ts': 'export class List {\n  insertAll() {}\n  other() {}\n}\n',
      'web/far.ts': 'export function insertNone() {}\nexport const kept = list.insertAll();\n',
      'web/state.rs': 'pub enum State {\n    Done,\n    Open,\n}\n',
      'app/views.py': 'def show():\n    pass\n',
      'app/forms.py': 'def other():\n    pass\n',
      'api/shop.proto': 'message Order {\n  string id = 1;\n}\nmessage Unused {}\n',
      'docs/guide.md': 'Format\n',
    };
    const base = await repository.commit(before);
    const head = await repository.commit(
      {
        'cmd/main.go':
          'package main\n\nimport "example.com/shop/pkg/money"\n\nfunc main() { money.Format(); money.Round(1) }\n',
        'web/cart.ts': "import { List } from './index.ts';\nnew List().insertAll();\nshow(State.Done);\n",
        'app/urls.py': 'from app import views\nviews.show()\n',
        'api/cart.proto': 'message Cart {\n  Order order = 1;\n}\n',
      },
      { branch: 'work', from: base },
    );
    const edit = ([path, text]: [string, string]) => {
      if (text.includes('places')) return text.replace('int', 'int32');
      return path.endsWith('.proto') ? '' : 'new\n';
    };
    const target = await repository.commit(
      Object.fromEntries(Object.entries(before).map((file) => [file[0], edit(file)])),
      { branch: 'target', from: base },
    );
    const [code, newer] = [open(base, head), open(base, target)];
    const { mayLose, mayReach } = await findTargetFiles(await readChange(code, () => false), code);
    const { files } = await readChange(newer, () => false);
    expect(files.map(({ path }) => path).filter(mayReach)).toEqual([
      'api/shop.proto',
      'app/forms.py',
      'app/views.py',
      'cmd/near.go',
      'pkg/money/money.go',
      'pkg/money/round.go',
      'pkg/money/sum.go',
      'web/far.ts',
      'web/list.ts',
      'web/state.rs',
    ]);
    const losing: string[] = [];
    for (const file of files) if (await mayLose(file)) losing.push(file.path);
    expect(losing).toEqual([
      'api/shop.proto',
      'app/views.py',
      'pkg/money/money.go',
      'pkg/money/round.go',
      'web/list.ts',
      'web/state.rs',
    ]);
    code.close();
    newer.close();
  } finally {
    await repository.remove();
  }
});
