/** Definitions, imports and uses in shell scripts. */
import { expect, it } from 'vitest';
import { describeFile } from '../../../../test/helpers/git/describe-file.ts';

it('reads shell scripts', async () => {
  const found = await describeFile('a.sh', 'build() { docker build "$IMAGE"; }\nbuild\n');
  expect(found).toMatchInlineSnapshot(`
    {
      "imports": [],
      "incomplete": null,
      "symbols": [
        "+function build 1",
      ],
      "uses": [
        "IMAGE 1",
        "build 2",
        "docker 1",
      ],
    }
  `);
});
