/** PUT of one identifier of the custom data of many objects, as a list of them is read. */

import * as Type from 'typebox';
import { jsonElements, jsonMembers } from '../../../shared/custom-data/members.ts';
import {
  type AnswerOfMany,
  replaceManyValues,
  type ValueOfMany,
} from '../../../shared/custom-data/replace-many.ts';
import { PartlyStored } from '../../../shared/custom-data/store.ts';
import { statusOf } from '../../../shared/errors/kinds.ts';
import { CodedError, type FieldError } from '../../../shared/errors.ts';
import { entityTags } from '../../../shared/http/conditional.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { preferenceApplied, preferredHandling } from '../../../shared/http/prefer.ts';
import { problemOf, problemSchema } from '../../../shared/http/problem.ts';
import { json } from '../../../shared/http/reply.ts';
import { createTurns } from '../../../shared/limits/turns.ts';
import type { ChangeOfObject } from '../../../shared/telemetry/measurement.ts';
import { noteChange } from '../../../shared/telemetry/trace.ts';
import { isStorable, unstorable } from '../../../shared/text/storable-text.ts';
import { objectNotFound } from '../objects/find.ts';
import { type KindName, objectKinds } from '../objects/kinds.ts';
import { replaceProblems } from '../operations/find-custom-data.ts';
import {
  databasesFor,
  endpoint,
  type RecordsCaller,
  type RecordsService,
} from '../operations/records-service.ts';
import { bounds } from '../wire/bounds.ts';
import { customDataExample, customDataIdentifier, objectExamples } from '../wire/examples.ts';
import { withSourceText } from '../wire/source-error-text.ts';
import { identifierParameter } from './custom-data-list.ts';

/** Objects of one call, at most. */
const maxObjects = 1_000;

const changesSchema = Type.Array(
  Type.Object(
    {
      id: Type.String({ description: 'Identifier of the object.' }),
      etag: Type.Optional(
        Type.String({
          description:
            'The entity tag of the value that is replaced, as the list and a read of it alone give it; `*` is any that exists. Without it the value is replaced, or created, whatever it is.',
        }),
      ),
      value: Type.Unknown({ description: 'The new value: any JSON.' }),
    },
    { additionalProperties: false },
  ),
  { maxItems: maxObjects, $id: 'CustomDataOfObjectsChange' },
);

const answersSchema = Type.Array(
  Type.Object({
    id: Type.String({ description: 'Identifier of the object.' }),
    result: Type.Union(
      ['stored', 'created', 'unchanged', 'refused'].map((word) => Type.Literal(word)),
      {
        description:
          '`created` under an identifier that the object did not have; `unchanged` where the tag was given and the value is the present one: nothing was stored.',
      },
    ),
    status: Type.Integer({ description: 'The status that a PUT of this value alone has.' }),
    etag: Type.Optional(
      Type.String({
        description:
          'The entity tag of the value now. Absent where others have changed it meanwhile, or it cannot be read.',
      }),
    ),
    problem: Type.Optional(problemSchema),
  }),
  { $id: 'CustomDataOfObjectsStored' },
);

interface Item {
  readonly id: string;
  readonly text: string;
  readonly ifMatch: ValueOfMany['ifMatch'];
}

/** Returns the objects of a body. Throws `invalid-body` for one or a property that is given twice, and for an id or a tag that cannot be one. */
async function itemsOf(body: string): Promise<Item[]> {
  const turns = createTurns();
  const errors: FieldError[] = [];
  const places = new Map<string, number>();
  const items: Item[] = [];
  for (const [index, element] of jsonElements(body).entries()) {
    const texts = new Map<string, string>();
    for (const { name, text } of jsonMembers(element)) {
      if (texts.has(name)) errors.push({ pointer: `/${index}/${name}`, detail: 'is given twice' });
      texts.set(name, text);
    }
    const id = JSON.parse(texts.get('id') ?? '""') as string;
    const etag = texts.get('etag');
    const ifMatch = etag === undefined ? undefined : entityTags(JSON.parse(etag) as string);
    if (!isStorable(id)) errors.push({ pointer: `/${index}/id`, detail: unstorable });
    if (places.has(id)) errors.push({ pointer: `/${index}/id`, detail: `is that of /${places.get(id)} too` });
    if (ifMatch?.length === 0)
      errors.push({ pointer: `/${index}/etag`, detail: 'must be an entity tag in quotes, or *' });
    places.set(id, index);
    items.push({ id, text: texts.get('value') ?? 'null', ifMatch });
    await turns.next();
  }
  if (errors.length > 0)
    throw new CodedError('invalid-body', 'Cannot store custom data: some objects are not valid.', {
      errors: errors.slice(0, 20),
    });
  return items;
}

const statuses = { created: 201, stored: 200, unchanged: 200 } as const;

function statusOfAnswer(answer: AnswerOfMany): number {
  return 'error' in answer ? statusOf(answer.error.kind) : statuses[answer.result];
}

function answerOf(
  id: string,
  answer: AnswerOfMany,
  context: { readonly id: string; readonly caller: RecordsCaller },
) {
  const status = statusOfAnswer(answer);
  if ('error' in answer)
    return {
      id,
      result: 'refused',
      status,
      problem: problemOf(withSourceText(answer.error, context), status, context),
    };
  const { result, etag } = answer;
  return { id, result, status, ...(etag === undefined ? {} : { etag }) };
}

/** Returns the audit of what was stored or refused. */
function auditOf(
  items: readonly Item[],
  answers: readonly (AnswerOfMany | undefined)[],
): readonly ChangeOfObject[] {
  return items.flatMap<ChangeOfObject>(({ id }, index) => {
    const answer = answers[index];
    if (answer === undefined || ('result' in answer && answer.result === 'unchanged')) return [];
    const status = statusOfAnswer(answer);
    if ('error' in answer)
      return [{ id, status, code: answer.error.code, before: undefined, after: undefined }];
    return [{ id, status, code: undefined, before: answer.before, after: answer.etag }];
  });
}

/** Throws `invalid-parameters` for a condition on the whole: each object has its own. */
function checkConditions(condition: unknown, header: string): void {
  if (condition === undefined) return;
  throw new CodedError(
    'invalid-parameters',
    'Cannot store custom data: the condition is not of one object.',
    {
      errors: [
        { pointer: `header:${header}`, detail: 'cannot be given: each object has its etag in the body' },
      ],
    },
  );
}

/** Places in a value that are told in a sentence, at most. */
const shownPlaces = 3;

/** Returns the places in the value of one object that an error names, behind its message. */
function placesIn({ errors = [] }: CodedError): string {
  const shown = errors.slice(0, shownPlaces).map(({ pointer, detail }) => `${pointer} ${detail}`.trim());
  if (errors.length > shownPlaces) shown.push(`and ${errors.length - shownPlaces} more`);
  return shown.length === 0 ? '' : ` ${shown.join('; ')}.`;
}

/** The error for a call that stores all or nothing, and was refused for some of its objects. */
function notAllStored(answers: readonly (AnswerOfMany | undefined)[]): CodedError {
  const errors = answers.flatMap((answer, index) =>
    answer !== undefined && 'error' in answer
      ? [
          {
            pointer: `/${index}`,
            detail: `${statusOfAnswer(answer)} ${answer.error.code}: ${answer.error.message}${placesIn(answer.error)}`,
          },
        ]
      : [],
  );
  const isPartly = answers.some(
    (answer) => answer !== undefined && 'error' in answer && answer.error instanceof PartlyStored,
  );
  return new CodedError(
    'custom-data-not-all-stored',
    `Cannot store the custom data of ${answers.length} objects: ${errors.length} of them ${errors.length === 1 ? 'was' : 'were'} refused.${isPartly ? '' : ' Nothing was stored.'}`,
    { errors, hint: 'Prefer: handling=lenient stores the others, and answers for each object.' },
  );
}

/** Creates the endpoint that replaces one identifier of objects of a kind. */
export function replaceManyEndpoint(
  { databases, objects }: RecordsService,
  name: KindName,
): Endpoint<RecordsCaller> {
  const kind = objectKinds[name];
  const words = kind.collection.replaceAll('-', ' ');
  return endpoint({
    method: 'PUT',
    change: kind.name,
    path: `/${kind.collection}/custom-data/{identifier}`,
    operationId: `put-custom-data-values-of-${kind.collection}`,
    bound: bounds.customDataChangeOfMany,
    summary: `Replace one custom data value of many ${words}`,
    description: `Up to ${maxObjects.toLocaleString('en')} values, each as a PUT of it alone, with the entity tag that the list has beside it. All are stored together, or nothing is (409); with \`Prefer: handling=lenient\` each is stored or refused for itself, and the reply is 200 with what came of each.`,
    tag: 'Custom data',
    access: 'bearer',
    extension: true,
    parameters: identifierParameter,
    body: {
      schema: changesSchema,
      as: 'text',
      example: [{ id: objectExamples[name].id, value: customDataExample[customDataIdentifier] }],
    },
    problems: { ...replaceProblems, 409: 'custom-data-not-all-stored, custom-data-conflict' },
    replies: {
      200: {
        description: 'What came of each object, in the order of the body.',
        schema: answersSchema,
        headers: {
          [preferenceApplied]: {
            description: 'The preference that was followed: handling=strict or handling=lenient.',
            schema: Type.String(),
          },
        },
      },
    },
    async handle({ path: { identifier }, body, ifMatch, ifNoneMatch, request, ...call }) {
      checkConditions(ifMatch, 'If-Match');
      checkConditions(ifNoneMatch, 'If-None-Match');
      const { main, customization } = databasesFor(databases, call);
      const handling = preferredHandling(request.headers);
      noteChange({ names: [identifier] });
      const items = await itemsOf(body);
      const propIDs = await objects.propIdsOf(
        main,
        kind,
        items.map(({ id }) => id),
      );
      const idsOf = new Map(Array.from(propIDs, ([id, propID]) => [propID, id]));
      const values = items.flatMap(({ id, text, ifMatch: tags }) => {
        const propID = propIDs.get(id);
        return propID === undefined ? [] : [{ propID, text, ifMatch: tags }];
      });
      const isStrict = handling !== 'lenient';
      const missing: AnswerOfMany = { error: objectNotFound(kind) };
      const stored =
        isStrict && values.length < items.length
          ? new Map<number, AnswerOfMany>()
          : await replaceManyValues(
              customization,
              {
                identifier,
                typeID: objects.typeOf(kind),
                user: call.caller.user,
                idOf: (propID) => idsOf.get(propID) ?? '',
              },
              values,
              isStrict ? 'all' : 'each',
            );
      const answers = items.map(({ id }) => {
        const propID = propIDs.get(id);
        return propID === undefined ? missing : stored.get(propID);
      });
      const isRefused = isStrict && answers.some((answer) => answer !== undefined && 'error' in answer);
      noteChange({ objects: auditOf(items, answers) });
      if (isRefused) throw notAllStored(answers);
      const turns = createTurns();
      const texts: unknown[] = [];
      for (const [index, { id }] of items.entries()) {
        const answer = answers[index];
        if (answer === undefined) throw new TypeError('An object has no answer');
        texts.push(answerOf(id, answer, call));
        await turns.next();
      }
      return json(texts, {
        headers: {
          Vary: 'Prefer',
          ...(handling === undefined ? {} : { [preferenceApplied]: `handling=${handling}` }),
        },
      });
    },
  });
}
