import { Link } from '@tanstack/react-router'
import { linkOf } from '../../frame/links.ts'
import classes from './Settings.module.css'

/** Kinds that have a page of their own. */
const kinds: Record<string, string> = {
  Publication: 'publications',
  PublicationModel: 'publication_models',
  Webhook: 'webhooks',
  Channel: 'channels',
  Status: 'statuses',
  Tag: 'tags',
  Token: 'tokens',
  User: 'users',
  Configuration: 'configurations',
}

/** What an entry is about, with a way there where there is one. */
export const RecordName = ({ record: { id, label } }: { record: { id: string; label: string } }) => {
  const kind = kinds[label]
  const text = `${label} ${id.slice(-6)}`
  if (!kind)
    return (
      <span className="ellipsis" title={id}>
        {text}
      </span>
    )
  return (
    <Link {...(linkOf(kind, id) as { to: string })} className={`${classes.plain} ellipsis`} title={id}>
      {text}
    </Link>
  )
}
