"""The cache of rendered pages: which image in the blob store is which page [B-01, F-13]."""

from dataclasses import asdict, dataclass

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from lattice_files.store.tables import pages
from lattice_files.store.unit_of_work import Reading


@dataclass(frozen=True, kw_only=True)
class PageKey:
    """What makes two renderings the same: content, page, size and the app that made them."""

    digest: str
    app: str
    app_version: str
    page: int
    long_side: int


@dataclass(frozen=True, kw_only=True)
class CachedPage:
    """A rendered page whose image is a blob."""

    image_digest: str
    page_count: int
    width: int
    height: int


async def load(reading: Reading, key: PageKey) -> CachedPage | None:
    """The rendering, if there is one."""
    wanted = [pages.c[name] == value for name, value in asdict(key).items()]
    columns = (pages.c.image_digest, pages.c.page_count, pages.c.width, pages.c.height)
    row = (await reading.connection.execute(select(*columns).where(reading.own(pages), *wanted))).one_or_none()
    return None if row is None else CachedPage(**row._mapping)  # noqa: SLF001 - the documented name


async def save(reading: Reading, key: PageKey, page: CachedPage) -> None:
    """Keep a rendering; one that came first is replaced."""
    values = asdict(page)
    row = insert(pages).values(**reading.key, **asdict(key), **values)
    await reading.connection.execute(row.on_conflict_do_update(index_elements=pages.primary_key.columns, set_=values))
