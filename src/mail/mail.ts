import { randomUUIDv7 } from 'node:crypto'
import nodemailer from 'nodemailer'
import type { Config } from '../config.ts'
import type { Db } from '../database/connect.ts'

export type Letter = {
  organisation_id: string
  environment_id: string | null
  to: string
  subject: string
  text: string
  html?: string
}

/**
 * Sends through SMTP_URL. Without one, letters are kept in the mailbox, where the Studio shows them; what went
 * out by SMTP is not kept.
 */
export const mailer = (config: Config, db: Db) => {
  const transport = config.smtpUrl ? nodemailer.createTransport(config.smtpUrl) : undefined
  const from = `Marquee <no-reply@${new URL(config.publicUrl).hostname}>`
  return {
    async send({ to, subject, text, html, organisation_id, environment_id }: Letter): Promise<void> {
      if (transport) {
        await transport.sendMail({ from, to, subject, text, html })
        return
      }
      await db
        .insertInto('mailbox')
        .values({
          id: randomUUIDv7(),
          organisation_id,
          environment_id,
          recipient: to,
          subject,
          text,
          html: html ?? null,
        })
        .execute()
    },
    close: () => transport?.close(),
  }
}
export type Mail = ReturnType<typeof mailer>
