import { t } from '../../../texts/index.ts'
import classes from '../Settings.module.css'

/** HTML of a letter, where it can do nothing: no scripts, no forms, no way out. */
export const LetterFrame = ({ html }: { html: string }) => (
  <iframe className={classes.letter} title={t.settings.mailbox.letter} sandbox="" srcDoc={html} />
)
