import { Type } from 'typebox'

/** What the list takes besides filters, and the filter whose name is made up of others. */
export const PublicationListQuery = Type.Object(
  {
    locale: Type.Optional(
      Type.Unsafe<string>({
        description:
          'Only publications that are linked to this locale; filters by status, dates, slug, title, words and tags, and the sort by publish_on, are about it. Without it any linked locale that fulfils all of them together will do.',
        examples: ['en-US'],
      }),
    ),
    fallback: Type.Optional(
      Type.Unsafe<string>({
        description: 'true: missing fields are filled from the default locale',
        examples: ['true'],
      }),
    ),
    at: Type.Optional(
      Type.Unsafe<string>({
        description:
          'What was, or will be, published at that time. For a past time only the filters id, model, channels and containers are taken, and the order is that of creation.',
        examples: ['2027-01-01T00:00:00+00:00'],
      }),
    ),
    items: Type.Optional(
      Type.Unsafe<object>({
        description:
          'By a filterable field: `items[en-US][price][gte]=5`, also written `items.en-US.price[gte]=5`. Needs a filter by one model. Numbers and dates take eq, neq, in, has, lt, lte, gt, gte; texts eq, neq, in, has, sw; booleans eq, neq, has; Coordinates near (`latitude,longitude,metres`) and has.',
        examples: [{ 'en-US': { price: { gte: 5 } } }],
      }),
    ),
  },
  { additionalProperties: true },
)
