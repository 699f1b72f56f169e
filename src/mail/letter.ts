export type Letter = {
  organisation_id: string
  environment_id: string | null
  to: string
  subject: string
  text: string
  html?: string
  /** Who is said to write, beside the service's own address. */
  from?: string | undefined
  /** What the letter is known by, where it may have to be sent again. */
  message_id?: string
}

/** As a mail program takes it. Headers are values of their own, so that nothing in one can begin another. */
export const composed = (
  { to, subject, text, html, from = 'Marquee', message_id }: Letter,
  address: string,
) => ({
  from: { name: from, address },
  to,
  subject,
  text,
  html,
  ...(message_id !== undefined && { messageId: message_id }),
})
