/** The door of the glob folder: which paths a glob pattern means. */

export { type CompiledGlob, compileGlob, type FolderGlob, type Glob, NOTHING } from './compile-glob.ts';
