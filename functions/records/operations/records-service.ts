/** The services that every endpoint of the records API uses, and its caller. */

import type { CodedError } from '../../../shared/errors.ts';
import { endpointsFor } from '../../../shared/http/endpoint.ts';
import type { SignIn } from '../../../shared/http/openapi-common.ts';
import type { Reply } from '../../../shared/http/reply.ts';
import type { RequestContext } from '../../../shared/http/request-context.ts';
import type { DatabaseServer, Databases } from '../../../shared/sql/databases.ts';
import type { ObjectChangeFeed } from '../changes/feed.ts';
import type { Objects } from '../objects/find.ts';
import type { KindName, ObjectKind } from '../objects/kinds.ts';
import type { ObjectSources } from '../objects/source.ts';
import type { UserBindings } from '../users/user-bindings.ts';
import type { User, Users } from '../users/users.ts';

/** The caller of the records API. */
export interface RecordsCaller {
  readonly user: User;
  /** Whether errors of custom sources have the text of the database. */
  readonly seesSourceErrors: boolean;
}

/** What the endpoints work with. */
export interface RecordsService {
  readonly databases: DatabaseServer;
  readonly objects: Objects;
  readonly users: Users;
  readonly bindings: UserBindings;
  readonly changes: ObjectChangeFeed;
  /** Where the metadata of objects is read from. */
  readonly sources: ObjectSources;
  /** The kinds of objects that are served: those that OBJECT_TYPES numbers; their metadata, where OBJECT_METADATA has them too. */
  readonly served: {
    readonly kinds: readonly KindName[];
    readonly metadata: readonly KindName[];
    /** Returns a kind with the table or the view of its metadata. */
    readonly kindOf: (name: KindName) => ObjectKind;
  };
  /** Returns whether every caller sees errors of custom sources (the setting SHOW_SOURCE_ERRORS). */
  readonly showsSourceErrors: () => boolean;
  /** Returns where people sign in, for documents. */
  readonly signIn: () => SignIn;
  /** Adds to a challenge where people sign in. */
  readonly withSignIn: (reply: Reply) => Reply;
  /** The setting of the API that is unusable, which every call then answers. */
  readonly settingsError: CodedError | undefined;
}

/** Defines an endpoint of the records API. */
export const endpoint = endpointsFor<RecordsCaller>();

/** What a call tells the databases about its statements: the deadline, and the caller that they count for. */
export type CallOfStatements = Pick<RequestContext<RecordsCaller>, 'deadline'> & {
  readonly caller: RecordsCaller;
};

/** Returns the databases for the statements of a call. */
export function databasesFor(
  databases: DatabaseServer,
  { caller: { user }, deadline }: CallOfStatements,
): Databases {
  return databases.within(deadline, user.usrPropID);
}
