import type { TestApp } from './app.ts'
import { addAsset, addTag } from './factories.ts'

/** Everything that a body can hold besides secrets, by the names of each generation. */
export const whole = {
  reference_id: 'crm-1',
  initials: 'R.',
  first_name: 'Robin',
  preposition: 'Dr.',
  prefix_last_name: 'van der',
  last_name: 'Quayside',
  nickname: 'Rob',
  gender: 'other',
  date_of_birth: '1990-04-23',
  company: 'Harbour FM',
  job_title: 'Keeper of the light',
  description: 'Listens at night',
  biography: 'Born by the sea',
  social_media_handle: '@robin',
  source: 'website',
  exclude_until: '2030-01-01T00:00:00+00:00',
  tracking: false,
  custom: ['red', 'blue'],
}
const names: Record<string, string> = {
  first_name: 'firstname',
  prefix_last_name: 'prefix_lastname',
  last_name: 'lastname',
}
export const inV5 = (body: object) =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [names[name] ?? name, value]))
const lists = 'emails,phones,addresses,bank_accounts,terms,accounts,tags,sessions,logged_in_from'
const listsV5 = lists.replace('emails', 'email').replace('phones', 'phone').replace('addresses', 'address')
export const everything = `?fields=${Object.keys(whole)},${lists},age,profile_photo,two_factor,environment,created_by,updated_by`
export const everythingV5 = `?fields=${Object.keys(inV5(whole))},${listsV5},age,picture,two_factor,environment,created_by,updated_by`

export const withLists = async (app: TestApp) => ({
  ...whole,
  emails: ['robin@example.org', { email: 'Second@example.org', verified: true }],
  phones: [{ phone: '+31 20 555 0100' }],
  addresses: [{ street: 'Quay', number: 12, postal_code: '1011 AB', city: 'Haven', country: 'NL' }],
  bank_accounts: [{ iban: 'NL91 ABNA 0417 1643 00', holder: 'R. Quayside' }],
  terms: [{ id: 'newsletter', source: 'form' }],
  accounts: [{ provider: 'stream', id: '77' }],
  tags: [{ id: (await addTag(app)).id }, { body: 'Night' }],
  profile_photo: (await addAsset(app)).id,
  created_on: '2020-02-03T04:05:06Z',
  last_seen: 1_700_000_000,
})
