import type { Page } from '../../database/page.ts'
import { presentBase } from '../../http/schemas.ts'
import type { AssetRow } from '../assets/table.ts'
import type { PersonRow } from '../persons/table.ts'
import { perLocale, presentListed } from '../publications/present/present.ts'
import type { View } from '../publications/present/view.ts'
import type { ShownRow } from '../publications/table.ts'

export const presentGroup = <Row>(page: Page<Row> | undefined, toBody: (row: Row) => object) =>
  page && { total: page.total!, items: page.rows.map(toBody) }

export const presentFound = (view: View) => (row: ShownRow) => ({
  ...presentListed(row, view),
  title: perLocale(row, view, ({ title }) => title),
})

export const presentFoundAsset = (row: AssetRow) => ({ ...presentBase(row.label, row), name: row.name })

export const presentFoundPerson = (row: PersonRow) => ({
  ...presentBase('Person', row),
  first_name: row.first_name,
  last_name: row.last_name,
})
