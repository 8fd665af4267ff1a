/** The public interface of globs: which paths a glob pattern means. */

export { type CompiledGlob, compileGlob, type FolderGlob, type Glob, NOTHING } from './compile-glob.ts';
