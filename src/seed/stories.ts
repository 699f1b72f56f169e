import { containers, tags } from './harbour-fm.ts'
import { seededRandom } from './random.ts'

/** Headlines in English and Dutch, five to each container and in its order. */
const headlines: [string, string][] = [
  ['Sea lock opens a year late', 'Zeesluis gaat een jaar later open'],
  ['What the lock means for the inland barges', 'Wat de sluis betekent voor de binnenvaart'],
  ['Living beside a building site for ten years', 'Tien jaar wonen naast een bouwput'],
  ['Salt water reaches further inland', 'Zout water komt verder landinwaarts'],
  ['The night the first ship passed', 'De nacht dat het eerste schip passeerde'],
  ['Nine parties on the ballot', 'Negen partijen op het stembiljet'],
  ['Who wants the old town hall?', 'Wie wil het oude stadhuis?'],
  ['First-time voters ask the candidates', 'Nieuwe kiezers bevragen de kandidaten'],
  ['Turnout higher than four years ago', 'Opkomst hoger dan vier jaar geleden'],
  ['Coalition talks begin on Monday', 'Coalitieoverleg begint maandag'],
  ['Open air concerts return to the quay', 'Openluchtconcerten terug op de kade'],
  ['Is the swimming water clean?', 'Is het zwemwater schoon?'],
  ['Market day moves to Friday', 'Marktdag verhuist naar vrijdag'],
  ['Ten free evenings in August', 'Tien gratis avonden in augustus'],
  ['The ferry to the beach runs late', 'De veerpont naar het strand vaart later'],
  ['Night ferry, part one: the engine room', 'Nachtveer, deel een: de machinekamer'],
  ['Night ferry, part two: the galley', 'Nachtveer, deel twee: de kombuis'],
  ['Night ferry, part three: those who stay awake', 'Nachtveer, deel drie: wie wakker blijft'],
  ['Night ferry, part four: the captain', 'Nachtveer, deel vier: de kapitein'],
  ['Night ferry, part five: the last crossing', 'Nachtveer, deel vijf: de laatste oversteek'],
  ['Four hundred homes on the old docks', 'Vierhonderd woningen op de oude dokken'],
  ['Young families leave the centre', 'Jonge gezinnen verlaten het centrum'],
  ['Rents rise faster than wages', 'Huren stijgen sneller dan lonen'],
  ['The warehouse that became a school', 'Het pakhuis dat een school werd'],
  ['How long is the waiting list?', 'Hoe lang is de wachtlijst?'],
  ['Code orange for the whole coast', 'Code oranje voor de hele kust'],
  ['The dikes closed at midnight', 'De dijken gingen om middernacht dicht'],
  ['Trees down, trams stopped', 'Bomen om, trams stil'],
  ['Volunteers clear the boulevard', 'Vrijwilligers ruimen de boulevard'],
  ['What the storm cost', 'Wat de storm heeft gekost'],
  ['Harbour Cup: the draw', 'Harbour Cup: de loting'],
  ['Late goal decides the semi-final', 'Laat doelpunt beslist halve finale'],
  ['Women play the final before a full stand', 'Vrouwen spelen finale voor volle tribune'],
  ['The referee who never shouts', 'De scheidsrechter die nooit schreeuwt'],
  ['Cup stays in the city', 'Beker blijft in de stad'],
  ['Fish soup as it was made on board', 'Vissoep zoals aan boord'],
  ['A bread that needs three days', 'Een brood dat drie dagen nodig heeft'],
  ['Cooking with what the market leaves', 'Koken met wat de markt overlaat'],
  ['Grandmother was right about onions', 'Oma had gelijk over uien'],
  ['Pancakes for two hundred', 'Pannenkoeken voor tweehonderd'],
  ['New singles from the rehearsal rooms', 'Nieuwe singles uit de oefenruimtes'],
  ['A choir of dock workers', 'Een koor van havenwerkers'],
  ['Jazz under the railway arches', 'Jazz onder de spoorbogen'],
  ['The record shop that survived', 'De platenzaak die overleefde'],
  ['Session: live from studio two', 'Sessie: live uit studio twee'],
  ['Schools look for two hundred teachers', 'Scholen zoeken tweehonderd leraren'],
  ['Cycling to school, but safely', 'Met de fiets naar school, maar veilig'],
  ['What pupils may do with their phones', 'Wat leerlingen met hun telefoon mogen'],
  ['The first day in seven languages', 'De eerste dag in zeven talen'],
  ['Lunch for everyone?', 'Lunch voor iedereen?'],
  ['Tram line nine gets its route', 'Tramlijn negen krijgt haar route'],
  ['Two years of road works', 'Twee jaar wegwerkzaamheden'],
  ['Shops along the line hold on', 'Winkels langs de lijn houden vol'],
  ['On board the first test ride', 'Aan boord van de eerste proefrit'],
  ['The conductor is back', 'De conducteur is terug'],
  ['A letter from the Baltic', 'Een brief van de Oostzee'],
  ['Home before Christmas', 'Thuis voor kerst'],
  ['Three weeks without news', 'Drie weken zonder nieuws'],
  ['The cook writes to his daughter', 'De kok schrijft aan zijn dochter'],
  ['The last postcard', 'De laatste ansichtkaart'],
]

export type Story = {
  id: string
  title: { 'en-US': string; 'nl-NL': string | null }
  summary: { 'en-US': string; 'nl-NL': string }
  container: string
  channels: string[]
  tags: string[]
  status: { 'en-US': string; 'nl-NL': string }
  daysAgo: number
  minutes: number
}

const channelsOf = [
  ['website', 'app'],
  ['website', 'app', 'newsletter'],
  ['harbour-fm', 'podcasts'],
  ['harbour-tv', 'website'],
]

/** The newest are still being written or wait for their day; one in six has not been translated. */
export const stories: Story[] = (() => {
  const random = seededRandom(11)
  return headlines.map(([english, dutch], number): Story => {
    const { body, description } = containers[Math.floor(number / 5)]!
    const daysAgo = 58 - number + (number % 5)
    const status =
      daysAgo < 0 ? 'Done' : number % 13 === 12 ? 'Review' : number % 11 === 10 ? 'To do' : 'Done'
    return {
      id: `demo-publication-${number + 1}`,
      title: { 'en-US': english, 'nl-NL': number % 6 === 5 ? null : dutch },
      summary: { 'en-US': description!, 'nl-NL': `Uit de reeks “${body}”.` },
      container: body,
      channels: channelsOf[number % channelsOf.length]!,
      tags: random.some(tags, 1 + random.below(3)),
      status: { 'en-US': status, 'nl-NL': number % 7 === 6 ? 'In translation' : status },
      daysAgo,
      minutes: 2 + random.below(28),
    }
  })
})()
