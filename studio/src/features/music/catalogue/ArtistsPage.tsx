import { CataloguePage } from './CataloguePage.tsx'

const ArtistsPage = () => <CataloguePage key="artists" kind="artists" />

export default ArtistsPage
