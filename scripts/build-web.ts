/** Builds the web app for a package. */
import { buildWebApp } from '../src/build-web-app.ts';

await buildWebApp((line) => process.stdout.write(`${line}\n`));
