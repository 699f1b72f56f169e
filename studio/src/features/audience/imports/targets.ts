import type { Choice } from '../../../components/filters/filter.ts'
import { t } from '../../../texts/index.ts'

/** What a column may become, beside the plain fields. */
const others = ['id', 'terms', 'created_on', 'last_seen', 'password'] as const
const parts = ['street', 'number', 'postal_code', 'city', 'country'] as const

export const targets = (): Choice[] => {
  const { fields, importFields } = t.audience
  const { addresses, ...plain } = fields
  return [
    ...Object.entries(plain).map(([value, label]) => ({ value, label })),
    ...parts.map((part) => ({ value: `address.${part}`, label: `${addresses}: ${importFields[part]}` })),
    ...others.map((value) => ({ value, label: importFields[value] })),
  ]
}

/** Other words for a field, in letters alone. */
const synonyms: Record<string, string> = {
  email: 'emails',
  emailaddress: 'emails',
  emailadres: 'emails',
  mail: 'emails',
  phone: 'phones',
  telephone: 'phones',
  telefoon: 'phones',
  telefoonnummer: 'phones',
  mobile: 'phones',
  mobiel: 'phones',
  firstname: 'first_name',
  givenname: 'first_name',
  voornaam: 'first_name',
  lastname: 'last_name',
  surname: 'last_name',
  familyname: 'last_name',
  achternaam: 'last_name',
  tussenvoegsel: 'prefix_last_name',
  infix: 'prefix_last_name',
  birthday: 'date_of_birth',
  birthdate: 'date_of_birth',
  dateofbirth: 'date_of_birth',
  dob: 'date_of_birth',
  geboortedatum: 'date_of_birth',
  geslacht: 'gender',
  sex: 'gender',
  bedrijf: 'company',
  organisation: 'company',
  functie: 'job_title',
  jobtitle: 'job_title',
  customerid: 'reference_id',
  klantnummer: 'reference_id',
  externalid: 'reference_id',
  reference: 'reference_id',
  street: 'address.street',
  straat: 'address.street',
  housenumber: 'address.number',
  huisnummer: 'address.number',
  zip: 'address.postal_code',
  zipcode: 'address.postal_code',
  postcode: 'address.postal_code',
  postalcode: 'address.postal_code',
  city: 'address.city',
  plaats: 'address.city',
  woonplaats: 'address.city',
  country: 'address.country',
  land: 'address.country',
  tag: 'tags',
}

/** The field for a column, or none; each field is given once. */
export const guess = (columns: string[]): Record<string, string> => {
  const known = new Map(targets().map(({ value, label }) => [value, label]))
  const taken = new Set<string>()
  return Object.fromEntries(
    columns.map((name) => {
      const lower = name.toLowerCase()
      const plain = lower.replaceAll(/[^\p{L}]/gu, '')
      const byLabel = [...known].find(([, label]) => label.toLowerCase() === lower)?.[0]
      const found = known.has(lower) ? lower : (byLabel ?? synonyms[plain] ?? '')
      if (found === '' || taken.has(found)) return [name, '']
      taken.add(found)
      return [name, found]
    }),
  )
}
