"""JSON-LD for an error's page: where it stands, what it is, which questions it answers."""

from __future__ import annotations

from typing import Any

import msgspec
from markupsafe import Markup

from errdex.model.record import Record
from errdex.publish.links import Site
from errdex.publish.text import plain

_UNSAFE = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
"""What could end the element that holds the JSON, or a JavaScript string: the same characters as JSON escapes."""

MAX_ANSWER_CHARACTERS = 2_000


def json_ld(record: Record, title: str, site: Site) -> Markup:
    """Return the page's JSON-LD, safe between `<script type="application/ld+json">` and its end tag.

    It is data: never executed, so a content security policy without inline scripts lets it stand.
    """
    url = site.absolute(site.error(record.repo, record.slug))
    graph = {
        "@context": "https://schema.org",
        "@graph": [
            _breadcrumbs(record, title, url, site),
            _article(record, title, url),
            _questions(record, title),
        ],
    }
    return script_safe(graph)


def script_safe(value: object) -> Markup:
    """Return `value` as JSON that cannot leave the script element it stands in."""
    text = msgspec.json.encode(value).decode("utf-8")
    for character, escaped in _UNSAFE.items():
        text = text.replace(character, escaped)
    # Marked safe because the five characters that HTML or JavaScript could act on are JSON escapes now.
    return Markup(text)  # noqa: S704


def _breadcrumbs(record: Record, title: str, url: str, site: Site) -> dict[str, Any]:
    steps = [
        (site.name, site.absolute(site.home())),
        (record.repo, site.absolute(site.repo(record.repo))),
        (plain(title, 110), url),
    ]
    items = [
        {"@type": "ListItem", "position": position, "name": name, "item": item}
        for position, (name, item) in enumerate(steps, 1)
    ]
    return {"@type": "BreadcrumbList", "itemListElement": items}


def _article(record: Record, title: str, url: str) -> dict[str, Any]:
    return {
        "@type": "TechArticle",
        "headline": plain(title, 110),
        "url": url,
        "mainEntityOfPage": url,
        "description": plain(record.documentation, 300),
        "datePublished": record.analyzed_at,
        "dateModified": record.analyzed_at,
        "keywords": [plain(tag) for tag in record.tags],
        "inLanguage": "en",
        "about": {
            "@type": "SoftwareSourceCode",
            "name": record.repo,
            "codeRepository": plain(record.github_url),
        },
    }


def _questions(record: Record, title: str) -> dict[str, Any]:
    subject = plain(title, 200)
    pairs = [
        (f"What does “{subject}” mean?", record.documentation),
        (f"How do I fix “{subject}”?", "\n".join(record.solutions)),
        (f"When does “{subject}” happen?", record.trigger_scenarios),
    ]
    return {
        "@type": "FAQPage",
        "mainEntity": [
            {
                "@type": "Question",
                "name": question,
                "acceptedAnswer": {"@type": "Answer", "text": plain(answer, MAX_ANSWER_CHARACTERS)},
            }
            for question, answer in pairs
            if answer
        ],
    }
