/** Checks whether the databases of the settings fulfil the contract of the service. */

import { type Config, type Environment, readConfig } from '../../shared/config.ts';
import { type Databases, openDatabases } from '../../shared/sql/databases.ts';
import { foldCase } from '../../shared/text/fold-case.ts';
import { type DatabaseKind, databaseKinds } from '../migrate/scripts.ts';
import { untilAvailable } from '../migrate/server.ts';
import { type CatalogObject, hasRight, isCaseSensitive, isDenied, readCatalog } from './catalog.ts';
import { compare } from './compare.ts';
import {
  checkAccount,
  checkIdentifiers,
  checkInfoProcedure,
  checkJsonRows,
  checkTypes,
  checkUsers,
} from './data.ts';
import { type Finding, findingLine, findingsSummary, foundLines } from './findings.ts';
import { exampleView, type Requirement, requirements, viewKinds } from './requirements.ts';
import { checkSources } from './sources.ts';
import { checkViews } from './views.ts';

/** Time limits of one attempt to connect, and of the whole check. */
const connectTimeMs = 30_000;
const checkTimeMs = 5 * 60_000;

type Catalogs = Readonly<Record<DatabaseKind, ReadonlyMap<string, CatalogObject>>>;

/**
 * Prints each object, column and right that an app with these settings needs, as found, missing or different for the login; rights that are
 * found, by their number. `complain` prints what is missing or different. Throws at the end when any of them is missing or different.
 */
export async function checkContract(
  settings: Environment,
  say: (line: string) => void,
  complain = say,
): Promise<void> {
  const config = readConfig(settings);
  const server = openDatabases(config);
  let findings: Finding[];
  try {
    await untilAvailable(() => connectTo(server.within(Date.now() + connectTimeMs)), say);
    findings = await findingsOf(server.within(Date.now() + checkTimeMs), config);
  } finally {
    await server.close();
  }
  for (const line of foundLines(findings)) say(line);
  for (const finding of findings) if (finding.state !== 'found') complain(findingLine(finding));
  say(findingsSummary(findings));
  if (findings.some(({ what, state }) => state !== 'found' && what.endsWith('vServiceUsers')))
    complain(`The view of the users joins an account with its person:\n${exampleView}`);
  if (findings.every(({ state }) => state === 'found')) return;
  throw new Error(
    'The databases are not what the service needs: see the lines "missing" and "different". "npm run migrate -- --adopt" creates what is missing of the service itself.',
  );
}

async function connectTo({ main, customization }: Databases): Promise<void> {
  for (const database of [main, customization]) await database.query('SELECT 1 AS one');
}

/** Returns the findings about each part of the contract. */
export async function findingsOf(databases: Databases, config: Config): Promise<Finding[]> {
  const [main, customization] = await Promise.all(databaseKinds.map((kind) => readCatalog(databases[kind])));
  const catalogs: Catalogs = { main: main ?? new Map(), customization: customization ?? new Map() };
  const [isMainCaseSensitive, isCustomizationCaseSensitive] = await Promise.all(
    databaseKinds.map((kind) => isCaseSensitive(databases[kind])),
  );
  const caseSensitivity = { main: isMainCaseSensitive, customization: isCustomizationCaseSensitive };
  const findings: Finding[] = [];
  for (const requirement of requirements(config)) {
    const object = catalogs[requirement.database].get(foldCase(requirement.name));
    const isHidden = object === undefined && (await isDenied(databases[requirement.database], requirement));
    if (!isHidden) findings.push(...compare(requirement, object, caseSensitivity[requirement.database]));
    if (isHidden || object !== undefined) findings.push(...(await rightsOn(databases, requirement)));
  }
  const isComplete = (name: string) =>
    findings.every(({ state, what }) => state === 'found' || !what.split(' ').includes(name));
  if (isComplete('vServiceUsers'))
    findings.push(...(await checkAccount(databases.main, config)), ...(await checkUsers(databases.main)));
  const procedure = catalogs.main.get('pstructureobjectinfoget');
  if (procedure !== undefined && isComplete('tObjProperties') && isComplete('pStructureObjectInfoGet'))
    findings.push(...(await checkInfoProcedure(databases.main, procedure)));
  if (isComplete('tObjProperties'))
    findings.push(
      ...(await checkTypes(databases.main, config)),
      ...(await checkIdentifiers(databases.main, config)),
    );
  const views = viewKinds(config).filter(({ table }) => isComplete(table));
  if (isComplete('tObjProperties')) findings.push(...(await checkViews(databases.main, config, views)));
  if (isComplete('tCustomData') && isComplete('tCustomDataTypes'))
    findings.push(
      ...(await checkJsonRows(databases.customization)),
      ...(await checkSources(databases.customization, catalogs.customization)),
    );
  return [...findings, ...(await rightsOnSources(databases, catalogs))];
}

async function rightsOn(
  databases: Databases,
  { database, name, rights }: Pick<Requirement, 'database' | 'name' | 'rights'>,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const right of rights) {
    const isGranted = await hasRight(databases[database], name, right);
    const what = `right to ${right} on ${name}`;
    findings.push(
      isGranted
        ? { state: 'found', database, what }
        : { state: 'missing', database, what, detail: `GRANT ${right} ON dbo.${name} TO <user of the app>` },
    );
  }
  return findings;
}

/** Returns findings about the rights on views and procedures that the service finds by their names. */
async function rightsOnSources(databases: Databases, catalogs: Catalogs): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const database of databaseKinds)
    for (const { name, form } of catalogs[database].values()) {
      const isSource =
        form === 'view'
          ? /^RefData_/i.test(name) || (database === 'customization' && /^CustomData_/i.test(name))
          : form === 'procedure' && database === 'customization' && /^pCustomData_.+_[GS]et$/i.test(name);
      if (isSource)
        findings.push(
          ...(await rightsOn(databases, {
            database,
            name,
            rights: [form === 'view' ? 'SELECT' : 'EXECUTE'],
          })),
        );
    }
  return findings;
}
