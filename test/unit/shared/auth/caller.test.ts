import { describe, expect, test } from 'vitest';
import { actingAccount, type Caller } from '../../../../shared/auth/caller.ts';
import { invalidToken, refusalOf } from '../../../support/refusal.ts';

const user: Caller = { kind: 'user', roles: [], objectId: 'o', tenantId: 't', tokenId: '' };
const application: Caller = { ...user, kind: 'application' };
const refusalFor = (caller: Caller) => refusalOf((async () => actingAccount(caller))());

describe('actingAccount()', () => {
  test('refuses a user without e-mail address, whatever the roles', async () => {
    const refusal = invalidToken('the token has no e-mail claim', 'token-without-email');
    expect(await refusalFor({ ...user, roles: ['Service.Access'] })).toEqual(refusal);
  });

  test.each([[[]], [['service.access']], [['Calendar.Editor']]])(
    'refuses an application with the roles %j',
    async (roles) => {
      expect(await refusalFor({ ...application, roles })).toEqual(
        invalidToken('the application has no role that lets it act by itself', 'application-without-role'),
      );
    },
  );
});
