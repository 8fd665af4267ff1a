/** The public interface of privacy: how long things are kept, export and deletion. */
export { countOrganization, deleteOrganization, type RowCounts } from './delete-organization.ts';
export { countPerson, deletePerson, requireOtherOwners } from './delete-person.ts';
export { MASKED_TABLES, maskStoredTexts } from './mask-stored-texts.ts';
export { organizationLines } from './organization-lines.ts';
