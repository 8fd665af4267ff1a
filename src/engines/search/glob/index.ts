/** The public interface of globs: which paths a glob matches. */

export { type CompiledGlob, compileGlob, type FolderGlob, type Glob, NOTHING } from './compile-glob.ts';
export { joinGlobs } from './join-globs.ts';
