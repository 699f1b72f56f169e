import { restOn } from '../../../database/basis.ts'
import { pick, type Selection } from '../../../http/fields.ts'
import type { Actor } from '../../access/authenticate.ts'
import { holds } from '../../access/scopes.ts'
import { cdnFiles, storageFile, widthsOf } from '../../assets/files.ts'
import type { AssetRow } from '../../assets/table.ts'
import type { PersonRow } from '../../persons/table.ts'
import type { ReferenceKind } from '../fields/names.ts'
import type { References } from '../fields/present.ts'

const assetBody = (signing: Signing, actor: Pick<Actor, 'environment'>, row: AssetRow, asked: Selection) => {
  if (row.private && asked.has('cdn_files')) restOn(actor, 'time')
  const { id, name, body, author, reference_id, copyright, alt, caption } = row
  return {
    ...{ id, name, body, author, reference_id, copyright, alt, caption },
    ...(asked.has('storage_file') && { storage_file: storageFile(row) }),
    ...(signing &&
      asked.has('cdn_files') && { cdn_files: cdnFiles(signing, row, widthsOf(actor.environment)) }),
  }
}
type Signing = Parameters<typeof cdnFiles>[0] | undefined

const personBody = ({ id, initials, first_name, last_name, nickname }: PersonRow) => ({
  id,
  initials,
  first_name,
  last_name,
  nickname,
})

/** What braces may ask of assets and persons besides what every record has. */
export const otherNames = [
  'name',
  'body',
  'author',
  'reference_id',
  'copyright',
  'alt',
  'caption',
  'cdn_files',
  'storage_file',
  'initials',
  'first_name',
  'last_name',
  'nickname',
  'slug',
]

/** Assets and persons that a field refers to, with what its braces ask for; persons to who may read them. */
export const expandOther = (
  actor: Pick<Actor, 'token' | 'environment'>,
  signing: Signing,
  references: References,
  targets: { kind: ReferenceKind; id: string }[],
  asked: Selection,
): [string, object][] =>
  targets.flatMap(({ kind, id }): [string, object][] => {
    const asset = kind === 'Asset' ? references.Asset.get(id) : undefined
    const isPerson = kind === 'Person' && holds(actor.token.scopes, 'persons')
    const person = isPerson ? references.Person.get(id) : undefined
    const body = asset ? assetBody(signing, actor, asset, asked) : person ? personBody(person) : undefined
    return body ? [[id, pick(body, asked)!]] : []
  })
