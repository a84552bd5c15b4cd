/** The app registration, as Microsoft Graph gets it. */

import { first, list, object, pick, type Translation, text } from './translation.ts';

export const entra: Readonly<Record<string, Translation>> = {
  azuread_application: {
    type: 'Microsoft.Graph/applications',
    id: (args) => `Microsoft.Graph/applications/${text(first(args['identifier_uris'])).split('/').at(-1)}`,
    body: (args) => {
      const api = first(args['api']);
      return {
        uniqueName: text(first(args['identifier_uris'])).split('/').at(-1) ?? '',
        ...pick(args, {
          displayName: 'display_name',
          signInAudience: 'sign_in_audience',
          identifierUris: 'identifier_uris',
        }),
        api: {
          ...pick(api, { requestedAccessTokenVersion: 'requested_access_token_version' }),
          oauth2PermissionScopes: list(object(api)['oauth2_permission_scope']).map((item) =>
            pick(item, {
              id: 'id',
              value: 'value',
              type: 'type',
              isEnabled: 'enabled',
              adminConsentDisplayName: 'admin_consent_display_name',
              adminConsentDescription: 'admin_consent_description',
              userConsentDisplayName: 'user_consent_display_name',
              userConsentDescription: 'user_consent_description',
            }),
          ),
        },
        appRoles: list(args['app_role']).map((item) =>
          pick(item, {
            id: 'id',
            value: 'value',
            displayName: 'display_name',
            description: 'description',
            allowedMemberTypes: 'allowed_member_types',
            isEnabled: 'enabled',
          }),
        ),
        optionalClaims: { accessToken: list(object(first(args['optional_claims']))['access_token']) },
        spa: { redirectUris: object(first(args['single_page_application']))['redirect_uris'] ?? null },
      };
    },
    exports: { client_id: 'appId' },
  },
  // In Graph a property of the application; compared as a separate resource.
  azuread_application_pre_authorized: {
    type: 'pre-authorized application',
    id: (args) => `${text(args['application_id'])}/preAuthorized/${text(args['authorized_client_id'])}`,
    body: (args) => ({ delegatedPermissionIds: args['permission_ids'] ?? null }),
  },
  azuread_service_principal: {
    type: 'Microsoft.Graph/servicePrincipals',
    id: (args) => `Microsoft.Graph/servicePrincipals/${text(args['client_id'])}`,
    body: (args) => ({ appId: args['client_id'] ?? null }),
    exports: { object_id: 'id' },
  },
  azuread_app_role_assignment: {
    type: 'Microsoft.Graph/appRoleAssignedTo',
    id: (args) => `Microsoft.Graph/appRoleAssignedTo/${text(args['principal_object_id'])}`,
    body: (args) =>
      pick(args, {
        appRoleId: 'app_role_id',
        principalId: 'principal_object_id',
        resourceId: 'resource_object_id',
      }),
  },
};
