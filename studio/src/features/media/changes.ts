import { api } from '../../api/client.ts'
import { queryClient, refresh } from '../../api/queries.ts'
import { toast, toastError } from '../../components/toast.tsx'
import { t } from '../../texts/index.ts'
import { type Asset, nameOf } from './files.ts'

/** What the Studio changes of an asset; texts of locales by themselves. */
export type Changes = Partial<
  Pick<Asset, 'name' | 'body' | 'author' | 'copyright' | 'folder' | 'private' | 'focal_point'>
> & { alt?: Texts; caption?: Texts; tags?: { body: string }[] }
type Texts = Record<string, string | null>

const put = (id: string, body: Changes): Promise<Asset> =>
  api.put('/assets/{id}', { path: { id }, body: body as object })

/** In everything that is known, before the service has said yes. */
const show = (id: string, { tags: _, alt, caption, ...plain }: Changes): void => {
  const changed = (asset: Asset): Asset =>
    asset.id === id
      ? ({
          ...asset,
          ...plain,
          alt: { ...asset.alt, ...alt },
          caption: { ...asset.caption, ...caption },
        } as Asset)
      : asset
  queryClient.setQueriesData({ queryKey: ['assets'] }, (known: unknown) => {
    const held = known as Asset & { pages?: { items: Asset[] }[] }
    if (held?.pages)
      return { ...held, pages: held.pages.map((page) => ({ ...page, items: page.items.map(changed) })) }
    return held?.id === id && held.alt ? changed(held) : known
  })
}

const before = (asset: Asset, changes: Changes): Changes =>
  Object.fromEntries(
    Object.entries(changes).map(([name, value]) => {
      if (name === 'tags') return [name, (asset.tags?.items ?? []).map(({ body }) => ({ body }))]
      const held = asset[name as 'name']
      if (name !== 'alt' && name !== 'caption') return [name, held]
      const texts = held as unknown as Texts
      return [name, Object.fromEntries(Object.keys(value as Texts).map((one) => [one, texts[one] ?? null]))]
    }),
  )

const apply = async (id: string, changes: Changes): Promise<void> => {
  show(id, changes)
  try {
    await put(id, changes)
  } finally {
    refresh('assets')
  }
}

/** Shown at once, and taken back from the toast. */
export const changeAsset = async (asset: Asset, changes: Changes, said = t.media.saved): Promise<void> => {
  const old = before(asset, changes)
  try {
    await apply(asset.id, changes)
    toast(said, () => apply(asset.id, old))
  } catch (error) {
    toastError(t.media.saving, error)
  }
}

/** Few at a time; what was done can be undone. */
export const changeMany = async (
  assets: Asset[],
  changesOf: (asset: Asset) => Changes,
  said: string,
): Promise<void> => {
  const done: [string, Changes][] = []
  try {
    for (const asset of assets) {
      const changes = changesOf(asset)
      await put(asset.id, changes)
      done.push([asset.id, before(asset, changes)])
    }
    toast(said, async () => {
      for (const [id, old] of done) await put(id, old)
      refresh('assets')
    })
  } catch (error) {
    toastError(t.media.saving, error)
  } finally {
    refresh('assets')
  }
}

export const restoreAssets = async (ids: string[]): Promise<void> => {
  for (const id of ids) await api.post('/assets/{id}/restore', { path: { id } })
  refresh('assets')
}

export const trashAssets = async (assets: Asset[], told: string): Promise<boolean> => {
  const gone: string[] = []
  try {
    for (const { id } of assets) {
      await api.delete('/assets/{id}', { path: { id } })
      gone.push(id)
    }
    toast(assets.length === 1 ? t.media.trashed(nameOf(assets[0]!)) : told, () => restoreAssets(gone))
    return true
  } catch (error) {
    toastError(t.media.deleting, error)
    return false
  } finally {
    refresh('assets')
  }
}
