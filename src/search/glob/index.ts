/** The door of the glob folder: which paths a glob pattern means. */

export { type CompiledGlob, compileGlob, type Glob } from './compile-glob.ts';
