/** The public interface of privacy: export, deletion, and masking of what was stored before. */
export { countOrganization, deleteOrganization, type RowCounts } from './delete-organization.ts';
export { countPerson, deletePerson, requireOtherOwners } from './delete-person.ts';
export { MASKED_TABLES, maskStoredTexts } from './mask-stored-texts.ts';
export { organizationLines } from './organization-lines.ts';
