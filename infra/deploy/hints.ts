/**
 * What failures of the tools mean, and what to do. Final is what is known to be final: it needs a person. Some wait for others, some are
 * known to pass by themselves, and whatever else Azure says may be one of its bad moments.
 */

/**
 * What may not be ready yet: new roles, new entries of the directory and removed locks take minutes to spread. The platform releases the
 * subnet of a deleted app only minutes later. The deployment endpoint of an app that was just created or restarted answers 502 to 504.
 */
const notYet =
  /\b403\b|Forbidden|AuthorizationPermissionMismatch|PrincipalNotFound|ScopeLocked|InUseSubnetCannotBeDeleted|queried reference-property objects are not present|Request_ResourceNotFound|(?:status(?: code)?:? |\()50[234]\b|Bad Gateway|Service Unavailable|Site Unavailable|Gateway Time-?out/i;

/** What the templates or the words of a call have wrong, which the same call has again. */
const mistaken =
  /\bInvalidTemplate(?!Deployment)\b|\bBCP\d{3}\b|undeclared variable|Reference to undeclared|Unsupported (?:argument|block)|Missing required argument|Invalid value for variable|unrecognized arguments|precondition failed|prevent_destroy|Apply cancelled/i;

/** Someone else is at work, and ends some time: then it is our turn. */
const busy =
  /DeploymentActive|ResourceGroupBeingDeleted|AnotherOperationInProgress|OperationNotAllowed.*in progress|another deployment is in progress|\(Conflict\).*in progress/is;

/** Needs a person: the pattern, and what that person can do. */
const needs: readonly [pattern: RegExp, hint: string][] = [
  [
    /RequestDisallowedByPolicy|disallowed by policy/i,
    'A policy of your organisation forbids this; its name stands above. Change the parameter that it is about, or ask for an exemption.',
  ],
  [
    /\bIp ?Forbidden\b|has blocked your access|ForbiddenBy(?:Firewall|Connection)|\bAuthorizationFailure\b|not allowed by (?:its|the) (?:network|firewall)|blocked by network rules|public ?network ?access ?(?:is|has been)? ?disabled|is not allowed to access the server/i,
    'A firewall refuses this machine, not its rights: run the step from inside of the network (docs/deploy.md, "Private networking"), or let its address in (deploymentAddresses, for packages).',
  ],
  [
    /re-?authenticate|authenticate interactively|run:? *'?az login|AADSTS(?:50173|5007[689]|50158|70008|70043|700082|700024)\b/i,
    'The sign-in has expired, or does not do for this: run az login, and then the step again. A workflow is started again.',
  ],
  [
    /AADSTS(?:70021|700211|700213)\b|No matching federated identity record/i,
    'The identity does not trust the subject of this token, which is named above (letter by letter, and since July 2026 GitHub adds ids to names): npm run deploy -- identities makes what it lacks.',
  ],
  [
    /(?:TXT|CNAME) record (?:pointing|was not found)|(?:host ?name|domain).*(?:not been verified|ownership)/i,
    'Azure does not see the DNS records of customDomain yet: the step domain prints them, and which are there. New ones may take an hour to be seen.',
  ],
  [
    /RoleAssignmentUpdateNotPermitted/i,
    'An identity was made anew under its old name: delete the role assignments of the old one (shown as "identity not found"), then run the step again.',
  ],
  [
    /RoleAssignmentExists|role assignment already exists/i,
    'Somebody has given this role already, under another name (an earlier version of the templates, or by hand): with Bicep delete that assignment (az role assignment delete --ids <its ID>), with Terraform import it, then run the step again.',
  ],
  [
    /ScopeLocked.*\/roleAssignments\//is,
    'A delete lock also holds the role assignments below it: npm run deploy -- revoke takes away those that the templates no longer list, and puts the lock back; then run this step again.',
  ],
  [
    /Microsoft\.Authorization\/roleAssignments\/write/i,
    'You may not assign roles: deploy with createRoleAssignments=false, and let someone who may run what npm run deploy -- roles prints.',
  ],
  [
    /Microsoft\.Authorization\/locks\/(?:write|delete)/i,
    'You may not make locks: deploy with deleteLocks=false, or get the role Locks Contributor.',
  ],
  [
    /AuthorizationFailed|LinkedAuthorizationFailed|does not have authorization|Insufficient privileges|Authorization_RequestDenied/i,
    'You lack a right, which is named above; docs/reference.md lists who needs which. One that was given minutes ago may need a few more: then run the step again.',
  ],
  [
    /InvalidDeploymentLocation|InvalidResourceGroupLocation|InvalidResourceLocation/i,
    'The environment is in another region, which is named above: give that one as location. For another region choose another --environment.',
  ],
  [
    /RegionDoesNotAllowProvisioning|ProvisioningDisabled|SkuNotAvailable|LocationNotAvailableFor\w+|\bInvalidLocation\b/i,
    'The region does not offer this to your subscription: choose another region (another --environment where this one has been made), or a smaller size.',
  ],
  [
    /budget.*start ?date|start ?date.*budget|start date for a budget/is,
    'The first day of a budget cannot be changed: give the one that Azure has, budgetStartDate=yyyy-MM-01 (az consumption budget list --resource-group <group>).',
  ],
  [
    /(?:StorageAccountAlreadyTaken|NameAlreadyExists|ServerNameAlreadyExists|WebsiteNameNotAvailable|already taken)/i,
    'Someone else has a resource of this name, which counts in all of Azure: choose another one in resourceNames.',
  ],
  [
    /PropertyChangeNotAllowed|ChangingPropertyNotAllowed/i,
    'Azure cannot change this of a resource that is there, which is named above: give the value that it has, or make a new --environment.',
  ],
  [
    /needs? to be imported into the State/i,
    'The resource is in Azure, and the state of Terraform that was used here does not have it: give the state with --backend-config, or choose another --environment. One that a run had just made when it was killed, and that holds nothing, may be deleted: az resource delete --ids <the ID above>.',
  ],
  [
    /QuotaExceeded|IsOverQuota|(?<![\w./-])quotas?(?![\w-])/i,
    'A quota of the subscription is used up: ask for more, choose another region, or a smaller size.',
  ],
  [
    /Error acquiring the state lock/i,
    'Another run holds the state of Terraform. When none is at work (one was killed): terraform -chdir=infra/terraform force-unlock <ID>, with the ID above.',
  ],
  [
    /MissingSubscriptionRegistration/i,
    'A resource provider is not registered: az provider register --namespace <the one above> --wait.',
  ],
  [
    /(?:NameUnavailable|already (?:exists|taken)|AlreadyExists).*apim|ServiceAlreadyExistsInSoftDeletedState/is,
    'The name of a deleted gateway is still taken: az apim deletedservice purge.',
  ],
];

export type Kind = 'busy' | 'final' | 'transient' | 'unknown';

/** What kind of failure a tool's complaint stands for. */
export function classify(complaint: string): Kind {
  if (busy.test(complaint)) return 'busy';
  if (hintFor(complaint) !== undefined || mistaken.test(complaint)) return 'final';
  if (notYet.test(complaint)) return 'transient';
  return complaint.trim() === '' ? 'final' : 'unknown';
}

/** Every hint that there is. */
export const hints: readonly string[] = needs.map(([, hint]) => hint);

/** What to do about a failure; undefined: nothing is known. */
export function hintFor(complaint: string): string | undefined {
  return needs.find(([pattern]) => pattern.test(complaint))?.[1];
}
