import { textOf } from '../plan/data.ts';
import { bodyAt, mustBe, nameOf, ofType, role, type View } from './views.ts';

/** The workspace makes a table with its first row: a query of a table that is not there yet is refused when the alert is made. */
export const onTables = (view: View) =>
  ofType(view, 'Microsoft.Insights/scheduledQueryRules')
    .filter((alert) => textOf(bodyAt(alert, 'properties.scopes.0')).includes('/workspaces/'))
    .flatMap((alert) => [
      ...mustBe(
        `${role(nameOf(alert.id))} can be made before its table (skipQueryValidation)`,
        bodyAt(alert, 'properties.skipQueryValidation'),
        true,
      ),
      ...mustBe(
        `${role(nameOf(alert.id))} can be asked before its table is there (union isfuzzy=true)`,
        textOf(bodyAt(alert, 'properties.criteria.allOf.0.query')).startsWith('union isfuzzy=true '),
        true,
      ),
    ]);

/** Without a list of groups every statement is logged, with the values in it. */
export const audited = (view: View) =>
  ofType(view, 'Microsoft.Sql/servers/auditingSettings').flatMap((item) => {
    const found = bodyAt(item, 'properties.auditActionsAndGroups');
    const groups = Array.isArray(found) ? found.map(textOf) : [];
    const isLimited = groups.length > 0 && groups.every((group) => /AUTHENTICATION|CHANGE/.test(group));
    return isLimited ? [] : ['the audit of the databases logs statements with their values'];
  });
