"""A sentence about one library does not speak of another, unless the library does.

Against: `Use httpx instead`, `convert it with NumPy first`, `this is how Django does it`.
"""

import re

from errdex.assist.interface import Case, Finding, check
from errdex.model.assistance import Suggestion

_NAME = re.compile(
    r"(?i)(?<![\w-])(?:"
    r"aiohttp|airflow|ansible|attrs|boto3|botocore|bokeh|bottle|celery|cherrypy|click|cupy|cython|dask"
    r"|django|docker|fastapi|flask|gensim|gevent|gunicorn|httpx|huggingface|jax|jinja2|jsonschema|jupyter"
    r"|keras|langchain|lightgbm|lxml|mako|marshmallow|matplotlib|mlx|mypy|networkx|nltk|numba|numpy|openai"
    r"|opencv|pandas|paramiko|peewee|pillow|plotly|poetry|polars|psycopg|psycopg2|pyarrow|pydantic"
    r"|pygments|pymongo|pyramid|pyspark|pytest|pytorch|pyyaml|redis|requests|rich|scikit-learn|scipy"
    r"|scrapy|seaborn|selenium|simplejson|sklearn|spacy|sqlalchemy|starlette|streamlit|sympy|tensorflow"
    r"|torch|tornado|tqdm|transformers|twisted|typer|ujson|urllib3|uvicorn|werkzeug|xarray|xgboost"
    r")(?![\w-])"
)
"""Libraries that a model is likely to bring in."""
_SAME = {"torch": "pytorch", "sklearn": "scikit-learn", "pil": "pillow"}


@check()
def look(suggestion: Suggestion, case: Case) -> Finding | None:
    """Object to the name of a widely known library that is neither this one nor named by its sources."""
    for name in map(str.lower, _NAME.findall(suggestion.text)):
        own = case.package.name.lower()
        if name in {own, _SAME.get(own)} or re.search(
            rf"(?<![\w-]){re.escape(name)}(?![\w-])", case.known.text
        ):
            continue
        if name in _PLAIN_WORDS and re.search(rf"\b{re.escape(name)}\b", suggestion.text):
            continue
        if not case.known.imports(name):
            return Finding(objection=f"{name} is another package")
    return None


_PLAIN_WORDS = frozenset({"requests", "click", "rich", "poetry", "celery", "bottle", "docker"})
"""Also words of the language: taken for a library only where they are capitalised."""
