"""A hook of the documentation site: a reference page for every public module, so that none can be forgotten.

Modules are found as files and read as text; nothing of ours is imported.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOTS = {"Kernel": "src/beachhead", "Systems": "systems/beachhead_*"}


def public(folder: Path) -> Iterator[Path]:
    """Yield the public modules and packages in a package, by name."""
    for path in sorted(folder.iterdir()):
        if not path.name.startswith(("_", ".")) and (path.suffix == ".py" or (path / "__init__.py").is_file()):
            yield path


def page(name: str, module: Path) -> str:
    """Return the page of a module; a package shows its own docstring, and then its modules."""
    if module.is_file():
        return f"# {name}\n\n::: {name}\n    options: {{ show_root_heading: false }}\n"
    parts = "".join(f"\n::: {name}.{part.stem}\n" for part in public(module))
    return f"# {name}\n\n::: {name}\n    options: {{ show_root_heading: false, members: false }}\n{parts}"


def pages(config: MkDocsConfig, pattern: str) -> Iterator[tuple[str, str]]:
    """Yield the address and the text of each page of the packages that match."""
    for package in sorted(Path(config.config_file_path).parent.glob(pattern)):
        head = f"# {package.name}\n\n::: {package.name}\n    options: {{ show_root_heading: false, members: false }}\n"
        yield f"api/{package.name}.md", head
        for module in public(package):
            name = f"{package.name}.{module.stem}"
            yield f"api/{name}.md", page(name, module)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the pages in the navigation, after all others."""
    sections = [
        {title: [{address.removeprefix("api/").removesuffix(".md"): address} for address, _ in pages(config, pattern)]}
        for title, pattern in ROOTS.items()
    ]
    config.nav = [*(config.nav or []), {"API reference": sections}]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages."""
    for pattern in ROOTS.values():
        for address, text in pages(config, pattern):
            files.append(File.generated(config, address, content=text))
    return files
