import type { Session } from '../../../database/session.ts'

const nearest = 20
const mostWords = 12

type Like = { id: string; likeness: number }

/**
 * Neighbours by content of one publication, found through the indexes of words and facets: what shares its rare words
 * and its tags. Of the words those are asked that fewest others have.
 */
export const likeness = async (session: Session, environmentId: string, id: string): Promise<Like[]> =>
  session<Like[]>`
    with own as (
      select array(select distinct unnest(tsvector_to_array(title_search))
          from publication_locales where environment_id = ${environmentId} and id = ${id}) as words,
        array(select distinct unnest(facets) from publication_locales
          where environment_id = ${environmentId} and id = ${id}) as facets
    ), asked as (
      select word from own, unnest(own.words) word
      where length(word) > 2 order by length(word) desc limit ${mostWords}
    ), found as (
      select local.id,
        (select count(*) from asked where tsvector_to_array(local.title_search) @> array[asked.word]) as shared,
        (select count(*) from unnest(local.facets) facet where facet = any(own.facets)) as same,
        cardinality(own.facets) as facets, (select count(*) from asked) as words
      from publication_locales local, own
      where local.environment_id = ${environmentId} and local.id <> ${id}
        and local.title_search @@ (select string_agg(quote_literal(word), ' | ')::tsquery from asked)
      limit 500
    )
    select id, max(0.7 * shared / greatest(1, words) + 0.3 * same / greatest(1, facets))::float8 as likeness
    from found group by id order by likeness desc, id limit ${nearest}`
