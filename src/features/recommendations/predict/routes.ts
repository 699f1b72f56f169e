import { Type } from 'typebox'
import { IdParams } from '../../../http/schemas.ts'
import type { Routes } from '../../../http/types.ts'
import { publicationExpansions } from '../../publications/present/expansions.ts'
import { anyView } from '../../publications/present/view.ts'
import { ListedPublication } from '../../publications/schema.ts'
import { PredictQuery, predictList } from './asked.ts'
import { predictor } from './routes-answer.ts'
import { Predicted } from './schema.ts'

const expansions = publicationExpansions(anyView)

export const predictRoutes: Routes = (app, context) => {
  const answer = predictor(context)
  app.addHook('onClose', () => answer.close())
  const config = {
    scopes: ['recommendations'],
    personal: true,
    list: predictList,
    expansions,
    record: ListedPublication,
  } as const
  const described = { params: IdParams, querystring: PredictQuery, response: { 200: Predicted } }
  app.get(
    '/recommendations/:id/predict',
    { config, schema: { ...described, summary: 'Recommend publications' } },
    answer.handle,
  )
  app.post(
    '/recommendations/:id/predict',
    {
      config,
      schema: {
        ...described,
        summary: 'Recommend publications, asked for in a body',
        body: Type.Unsafe<object>({
          type: ['object', 'null'],
          additionalProperties: true,
          description: 'Everything that the query takes',
          examples: [{ history: ['0199c2a4-7d1e-7c3a-9b52-3f1e8a6d4c20'], limit: 10 }],
        }),
      },
      // What a body asks for is asked as if it stood in the query.
      preValidation: async (request) => {
        request.query = { ...(request.query as object), ...(request.body as object | null) }
      },
    },
    answer.handle,
  )
}
