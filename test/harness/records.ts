import { checkCrud } from './records/crud.ts'
import type { RecordKind } from './records/kind.ts'
import { checkLists } from './records/lists.ts'
import { checkPaging } from './records/paging.ts'
import { checkSafety } from './records/safety.ts'
import { checkSlugs } from './records/slugs.ts'

/** What every kind of record must do, in both generations; a feature's test adds what is its own. */
export const checkRecords = (kind: RecordKind): void => {
  checkCrud(kind)
  checkSafety(kind)
  checkLists(kind)
  checkPaging(kind)
  if (kind.slug) checkSlugs(kind)
}
