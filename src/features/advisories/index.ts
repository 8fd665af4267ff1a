/** The public interface of advisories: known vulnerabilities of packages, from a database that the operator mirrors. */
export { selectLastImport } from './advisory-store.ts';
export { findVulnerable, type VulnerablePackage } from './find-vulnerable.ts';
export { importAdvisories } from './import-advisories.ts';
