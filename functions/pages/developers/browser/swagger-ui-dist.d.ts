/** The package has no types. Its script for the way back from sign-in exports nothing. */
declare module 'swagger-ui-dist/oauth2-redirect.js';
