/** The people of the sample data: they sign in at the local issuer, and the sample databases hold their person records. */

/** One person who can sign in locally. */
export interface SampleUser {
  /** The `email` claim of the user's tokens, and the address on the person record. */
  readonly email: string;
  readonly name: string;
  /** Entra app roles that the user's tokens carry. */
  readonly roles: readonly string[];
  /** Language of the user's settings in the records database; without one the user has no person record. */
  readonly language?: 'en' | 'sv' | 'da';
}

/** The sample users, one for each role and each language, and one whom the records database does not know. */
export const sampleUsers: readonly SampleUser[] = [
  { email: 'alice@example.org', name: 'Alice Archer', roles: ['Calendar.Editor'], language: 'en' },
  { email: 'bjorn@example.org', name: 'Björn Berg', roles: ['Calendar.Author'], language: 'sv' },
  { email: 'dorte@example.org', name: 'Dorte Dahl', roles: ['Calendar.Contributor'], language: 'da' },
  { email: 'erik@example.org', name: 'Erik Ek', roles: [], language: 'sv' },
  { email: 'fiona@example.org', name: 'Fiona Finch', roles: [], language: 'en' },
  { email: 'gustav@example.org', name: 'Gustav Gast', roles: [] },
];
