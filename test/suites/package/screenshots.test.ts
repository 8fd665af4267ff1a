/** The repository contains exactly the screenshots that the README shows. */
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DOCS_FOLDER, readDocumentedScreenshots } from '../../../scripts/documented-screenshots.ts';

it('docs/screenshots contains exactly the images in the README', () => {
  expect(readdirSync(DOCS_FOLDER).sort()).toEqual(readDocumentedScreenshots().sort());
});
