import { type TSchema, Type } from 'typebox'
import { base, Nullable } from '../../http/schemas.ts'
import { ListedPublication } from '../publications/schema.ts'
import { Tag } from '../tags/schema.ts'

const FoundPublication = Type.Object(
  {
    ...ListedPublication.properties,
    title: Type.Record(Type.String(), Nullable('string'), { examples: [{ 'en-US': 'Evening news' }] }),
  },
  { title: 'FoundPublication' },
)
const FoundAsset = Type.Object(
  {
    ...base('Asset'),
    label: Type.String({ examples: ['Photo'], description: 'Photo, Video, Audio, Cover or PDF' }),
    name: Nullable('string'),
  },
  { title: 'FoundAsset' },
)
const FoundPerson = Type.Object(
  { ...base('Person'), first_name: Nullable('string'), last_name: Nullable('string') },
  { title: 'FoundPerson' },
)

const Group = (item: TSchema, scope: string) =>
  Type.Optional(
    Type.Object(
      { total: Type.Integer(), items: Type.Array(item) },
      { description: `With the scope ${scope}` },
    ),
  )

/** A group that the token may not read is not there. */
export const Found = Type.Object(
  {
    total: Type.Integer({ description: 'Of all groups together' }),
    publications: Group(FoundPublication, 'publications'),
    assets: Group(FoundAsset, 'assets'),
    persons: Group(FoundPerson, 'persons'),
    tags: Type.Object({ total: Type.Integer(), items: Type.Array(Tag) }),
  },
  { title: 'Found' },
)

export const SearchQuery = Type.Object(
  {
    q: Type.String({
      minLength: 1,
      description: 'Words; typing errors, accents and endings are forgiven',
      examples: ['news'],
    }),
    limit: Type.Optional(
      Type.Unsafe<string>({
        description: 'How many items each group has, from 1 to 25; without it 5',
        examples: ['5'],
      }),
    ),
    locale: Type.Optional(
      Type.String({ description: 'Publications are searched in this locale only', examples: ['en-US'] }),
    ),
  },
  { additionalProperties: false },
)
