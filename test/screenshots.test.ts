/** The repository holds exactly the screenshots that the README shows. */
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DOCS_FOLDER, readDocumentedScreenshots } from '../scripts/documented-screenshots.ts';

it('docs/screenshots holds the pictures of the README and no others', () => {
  expect(readdirSync(DOCS_FOLDER).sort()).toEqual(readDocumentedScreenshots().sort());
});
