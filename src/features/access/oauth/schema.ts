import { Type } from 'typebox'

/** Only described: RFC 6749 wants its own errors, so the parameters are not checked by a schema. */
export const TokenRequest = Type.Object(
  {
    grant_type: Type.String({ enum: ['client_credentials', 'refresh_token'] }),
    client_id: Type.Optional(
      Type.String({ description: 'Unless the client is named by HTTP Basic', examples: ['app_5q2W8d1Zk0'] }),
    ),
    client_secret: Type.Optional(Type.String({ examples: ['sec_k3Jd8sPq0VtYx2Lw7RzB5nHf'] })),
    scope: Type.Optional(
      Type.String({
        description: 'Some of the scopes of the application, by spaces; all of them without it',
        examples: ['channels publications'],
      }),
    ),
    refresh_token: Type.Optional(Type.String({ description: 'Required with grant_type refresh_token' })),
  },
  { examples: [{ grant_type: 'client_credentials', scope: 'channels publications' }] },
)

export const OAuthFailure = Type.Object(
  {
    error: Type.String({
      enum: ['invalid_request', 'invalid_client', 'invalid_grant', 'invalid_scope', 'unsupported_grant_type'],
    }),
    error_description: Type.String({ examples: ['grant_type is required'] }),
  },
  { title: 'OAuthError', description: 'An error by RFC 6749, section 5.2' },
)
