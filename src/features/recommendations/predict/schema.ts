import { Type } from 'typebox'
import { Collection } from '../../../http/list.ts'
import { withExpansions } from '../../../http/records.ts'
import { publicationExpansions } from '../../publications/present/expansions.ts'
import { anyView } from '../../publications/present/view.ts'
import { ListedPublication } from '../../publications/schema.ts'

const Reason = Type.Object(
  {
    publications: Type.Array(
      Type.Object({ id: Type.String(), weight: Type.Number({ description: 'How much it adds' }) }),
      { description: 'Because of these, which were seen' },
    ),
    tags: Type.Array(Type.String(), { description: 'Ids of tags that it shares with what was seen last' }),
    popular: Type.Boolean({ description: 'Many came to it lately' }),
    exploring: Type.Boolean({ description: 'It is tried, because few have seen it yet' }),
  },
  { description: 'With explain=true' },
)

const Listed = withExpansions(ListedPublication, publicationExpansions(anyView))

const Item = Type.Object(
  { ...Listed.properties, reason: Type.Optional(Reason) },
  { title: 'RecommendedPublication' },
)

export const Predicted = Type.Object({
  ...Collection(Item).properties,
  recommendation: Type.Object({
    id: Type.String({ description: 'What an interaction that follows names as `recommendation_id`' }),
    variant: Type.Unsafe<string>({
      type: 'string',
      enum: ['recommended', 'control', 'fallback', 'dummy'],
      description:
        'control: this person gets the dummy, for comparison; fallback: the recommendation lost to the dummy',
    }),
  }),
})
