#!/usr/bin/env python3
"""Makes the golden results in golden/, with scikit-learn, scipy and numpy.

They were made once, by scikit-learn 1.2.1, scipy 1.10.1 and numpy 1.24.2
(Debian 12); tests read the files and need none of these packages.
usage: golden.py [FOLDER]
"""
import os
import sys

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.signal import argrelextrema
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.linear_model import SGDClassifier
from sklearn.metrics import silhouette_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KernelDensity
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler

FOLDER = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "golden")
KS = range(2, 9)
THRESHOLDS = (0.25, 0.5, 1.0, 2.0, 4.0)


def save(name, table):
    np.savetxt(os.path.join(FOLDER, name), np.atleast_2d(table), delimiter=",", fmt="%.17g")


def first_seen(labels):
    """Numbers clusters by their first row, which is how ours are."""
    order = {}
    return np.array([order.setdefault(label, len(order)) for label in labels])


def positive(components):
    """Turns components so that their largest number is positive."""
    largest = np.abs(components).argmax(axis=1)
    return np.sign(components[range(len(components)), largest])


def make_points(rng):
    """Five groups of unlike size and spread, one constant feature, rows that repeat."""
    centres = np.array([[0, 0, 0], [6, 1, 0], [0, 7, 2], [5, 6, -4], [-4, 3, 6]])
    groups = [centre + rng.normal(0, 0.5 + 0.1 * i, (20 + 5 * i, 3))
              for i, centre in enumerate(centres)]
    points = np.round(np.vstack(groups), 3)
    points = np.vstack([points, points[::3], points[::3]])
    points = np.hstack([points, points[:, :1] * 300 + points[:, 1:2], np.full((len(points), 1), 7)])
    return rng.permutation(points)


def numerics(points):
    scaled = StandardScaler().fit_transform(points)
    save("points.csv", points)
    save("scaled.csv", scaled)
    pca = PCA(0.9995).fit(scaled)
    whole = PCA().fit(scaled)
    signs = positive(whole.components_)
    save("pca_components.csv", whole.components_[:3] * signs[:3, None])
    save("pca_ratios.csv", whole.explained_variance_ratio_)
    scores = pca.transform(scaled) * signs[:pca.n_components_]
    save("pca_scores.csv", scores)
    rows = []
    for k in KS:
        means = KMeans(n_clusters=k, n_init=200, random_state=1, tol=0).fit(scores)
        rows.append([k, means.inertia_, silhouette_score(scores, means.labels_)])
        if k == 5:
            save("kmeans_labels.csv", first_seen(means.labels_))
    save("kmeans.csv", rows)
    tree = linkage(scores, "complete")
    save("linkage.csv", [[t, *first_seen(fcluster(tree, t, "distance"))] for t in THRESHOLDS])


def behind(values, places):
    """Indices of the first value behind each place that has values on both sides."""
    cuts = {int(np.searchsorted(values, place, "right")) for place in places}
    return sorted(cuts - {0, len(values)})


def densities(rng):
    """Minima between modes, on a fine grid; rows: weighted or not, bandwidth, cuts."""
    values = np.unique(np.concatenate([rng.normal(1000, 40, 60), rng.normal(1500, 20, 30),
                                       rng.normal(3000, 300, 25)]).round(2))
    weights = rng.integers(1, 6, len(values)).astype(float)
    save("kde_points.csv", np.column_stack([values, weights]))
    fine = np.linspace(values[0], values[-1], 50001)
    rows = np.full((6, 20), -1.0)
    for row, (h, w) in zip(rows, [(h, w) for h in (50, 100, 400) for w in (None, weights)]):
        kde = KernelDensity(kernel="gaussian", bandwidth=h, rtol=1e-12)
        density = kde.fit(values[:, None], sample_weight=w).score_samples(fine[:, None])
        low = (density[1:-1] < density[:-2]) & (density[1:-1] <= density[2:])
        cuts = behind(values, fine[1:-1][low])
        row[:2 + len(cuts)] = [w is not None, h, *cuts]
    save("kde_cuts.csv", rows)


def splits(rng):
    """The split of Sieve's published script; rows: values, then ends of groups."""
    sets = [np.arange(100) * 10.0, 2.0 ** np.arange(4, 14), np.array([10.0, 11, 12]),
            np.unique(rng.normal(5000, 30, 90).round()), np.unique(rng.integers(1, 40, 25) * 1.0)]
    values, ends = np.full((len(sets), 128), -1.0), np.full((len(sets), 52), -1.0)
    for i, v in enumerate(sets):
        grid = np.linspace(v.min(), v.max(), 50)
        kde = KernelDensity(kernel="gaussian", bandwidth=1).fit(v[:, None])
        minima = argrelextrema(kde.score_samples(grid[:, None]), np.less_equal)[0]
        groups = sorted({int((v < grid[m]).sum()) for m in minima} - {0} | {len(v)})
        values[i, :len(v)] = v
        ends[i, :len(groups)] = groups
    save("split_values.csv", values)
    save("split_ends.csv", ends)


def classifiers(points, rng):
    scaled = StandardScaler().fit_transform(points)
    classes = KMeans(n_clusters=5, n_init=50, random_state=1).fit_predict(scaled)
    classes = first_seen(classes)
    others = scaled[rng.integers(0, len(scaled), 100)] + rng.normal(0, 0.2, (100, 5)) * [1, 1, 1, 1, 0]
    save("classify_examples.csv", np.column_stack([scaled, classes]))
    told = [model.fit(scaled, classes).predict(others) for model in (
        GaussianNB(), SGDClassifier(random_state=1), MLPClassifier((32,), max_iter=2000, random_state=1))]
    save("classify_others.csv", np.column_stack([others, *told]))


if __name__ == "__main__":
    os.makedirs(FOLDER, exist_ok=True)
    RNG = np.random.default_rng(20231)
    POINTS = make_points(RNG)
    numerics(POINTS)
    classifiers(POINTS, RNG)
    densities(RNG)
    splits(RNG)
