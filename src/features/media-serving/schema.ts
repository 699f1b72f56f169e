import { Type } from 'typebox'
import { NullableDateTime } from '../../http/schemas.ts'

const id = Type.String({ maxLength: 200 })

export const MediaParams = Type.Object({
  id,
  transform: Type.String({
    maxLength: 300,
    description:
      '`original`; any of w_, h_, fit_, q_ and f_ for a picture to measure; neither for a file made of the asset. ' +
      'v_ is a version, e_ an expiry and s_ a signature',
    examples: ['w_640,f_webp'],
  }),
  name: Type.String({
    maxLength: 500,
    description: 'Of a file made of the asset; otherwise any',
    examples: ['a.jpg'],
  }),
})
export const FileParams = Type.Object({ id, name: Type.String({ maxLength: 500, examples: ['poster.jpg'] }) })

/** What a link or a proxy adds to an address does not concern us. */
export const AnyQuery = Type.Object({})

const binary = { 'application/octet-stream': { schema: Type.String({ format: 'binary' }) } }
export const mediaAnswers = {
  200: { description: 'The file', content: binary },
  206: { description: 'The range that was asked for', content: binary },
  304: { description: 'What If-None-Match named is still current.', type: 'null' },
  416: { description: 'The file ends before the range that was asked for.', type: 'null' },
}

export const AddressQuery = Type.Object(
  {
    transform: Type.Optional(
      Type.String({
        maxLength: 200,
        description: '`original`, or sizes',
        examples: ['w_500,h_500,fit_cover'],
      }),
    ),
    file: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'A file made of the asset, by its name',
        examples: ['poster.jpg'],
      }),
    ),
    seconds: Type.Optional(
      Type.String({
        pattern: '^[1-9]\\d{0,7}$',
        description: 'How long the address is good for',
        examples: ['600'],
      }),
    ),
    direct: Type.Optional(
      Type.String({
        pattern: '^(true|false)$',
        description: '`true`: of the object store itself, where there is one; not for pictures to measure',
        examples: ['true'],
      }),
    ),
  },
  { additionalProperties: false },
)

export const Address = Type.Object({
  url: Type.String({ examples: ['https://localhost:8443/media/0198…/w_500,v_1f6a09b3c2,s_…/harbour.jpg'] }),
  expires_on: NullableDateTime({ description: 'Null where it is good for ever' }),
})
